-- The life of an order: its statuses, what each change of status does, and the steps that a new, changed or deleted order takes, in this
-- order. Each step is a function in the file of its noun.

create function private.order_statuses()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{pending,processing,shipped,delivered,cancelled}'::text[]
$$;
grant execute on function private.order_statuses to authenticated, service_role;

alter table public.orders add constraint orders_status_is_known check (status = any (private.order_statuses()));

/*
 * Whether an order with this status has not been sent as a whole: its copies are in the shop, except those of its shipments (19-shipments),
 * and its lines can be changed.
 */
create function private.is_open(_status text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select _status in ('pending', 'processing')
$$;

/*
 * Every change of status. copies: 1 returns them to stock, -1 takes them again, 0 leaves them. step_back: what it takes back, null if nothing;
 * 'cancel_paid' only if money was received. emails: what the customer, and the recipient if that is another person, is sent. Customers may
 * cancel what is neither cancelled nor delivered (the policy of orders), staff may do all.
 */
create function private.status_changes()
returns table (from_status text, to_status text, copies int, step_back text, emails text[])
language sql immutable parallel safe set search_path = '' as $$
  values
    ('pending',    'processing',  0, null,          '{order_status_changed}'::text[]),
    ('pending',    'shipped',     0, null,          '{order_status_changed,recipient_order_shipped}'),
    ('pending',    'delivered',   0, null,          '{order_status_changed}'),
    ('pending',    'cancelled',   1, 'cancel_paid', '{order_cancelled}'),
    ('processing', 'pending',     0, 'set_back',    '{order_status_changed}'),
    ('processing', 'shipped',     0, null,          '{order_status_changed,recipient_order_shipped}'),
    ('processing', 'delivered',   0, null,          '{order_status_changed}'),
    ('processing', 'cancelled',   1, 'cancel_paid', '{order_cancelled}'),
    ('shipped',    'pending',     0, 'set_back',    '{order_status_changed}'),
    ('shipped',    'processing',  0, 'set_back',    '{order_status_changed}'),
    ('shipped',    'delivered',   0, null,          '{order_status_changed}'),
    ('shipped',    'cancelled',   0, 'cancel_sent', '{order_cancelled}'),
    ('delivered',  'pending',     0, 'set_back',    '{order_status_changed}'),
    ('delivered',  'processing',  0, 'set_back',    '{order_status_changed}'),
    ('delivered',  'shipped',     0, 'set_back',    '{order_status_changed,recipient_order_shipped}'),
    ('delivered',  'cancelled',   0, 'cancel_sent', '{order_cancelled}'),
    ('cancelled',  'pending',    -1, 'reopen',      '{order_status_changed}'),
    ('cancelled',  'processing', -1, 'reopen',      '{order_status_changed}'),
    ('cancelled',  'shipped',    -1, 'reopen',      '{order_status_changed,recipient_order_shipped}'),
    ('cancelled',  'delivered',  -1, 'reopen',      '{order_status_changed}')
$$;

/* Counts an order (1), or no longer (-1), by its status and payment state: see 1-ground/09-tallies. */
create function private.tally_order(_order public.orders, _rows int)
returns void language sql volatile security definer set search_path = '' as $$
  insert into private.tallies (counted, value, rows) values ('orders', _order.status || ' ' || _order.payment_state, _rows)
$$;

/* Before the row is written: what refuses or changes it. */
create function private.before_order_changes()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  -- A statement of a customer or an admin, rather than of the shop's own functions.
  by_client constant boolean := tg_argv[0] = 'client';
begin
  if tg_op = 'INSERT' then
    if by_client then
      new := private.check_new_order(new);
    end if;
    new := private.find_payment_sum(new);
    return new;
  elsif tg_op = 'UPDATE' then
    new := private.follow_status(old, new);
    new := private.limit_kept_amount(new);
    -- As private.stamp_updated_at.
    new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
    return new;
  else
    perform private.keep_paid_order(old.id);
    perform private.keep_sent_order(old.id);
    perform private.keep_returned_order(old.id);
    perform private.return_deleted_order(old);
    -- While its lines are there.
    perform private.count_order(old, -1);
    return old;
  end if;
end $$;

/* After the row is written: what follows from it. */
create function private.after_order_changes()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  by_client constant boolean := tg_argv[0] = 'client';
  event_id bigint;
begin
  if tg_op = 'INSERT' then
    perform private.count_new_order(new);
    if by_client then
      perform private.fill_new_order(new);
      perform private.queue_order_emails(new.id);
    end if;
    perform private.tally_order(new, 1);
    perform private.write_audit('orders', null, to_jsonb(new));
  elsif tg_op = 'UPDATE' then
    perform private.count_changed_order(old, new);
    if (new.status, new.payment_state) <> (old.status, old.payment_state) then
      perform private.tally_order(old, -1), private.tally_order(new, 1);
    end if;
    perform private.write_audit('orders', to_jsonb(old), to_jsonb(new), '{updated_at,stock_held}');
    if new.status <> old.status then
      event_id := private.record_order_event(new.id, old.status, new.status, private.what_was_reopened(old));
      -- Of an open order, only the shipment that its Undo stands again (redo_closing_shipment).
      if private.is_open(old.status) then
        update public.order_shipments set closing_event = event_id where order_id = new.id and undone_at is null and closing_event is not null;
      end if;
      perform private.queue_status_emails(new, old.status, event_id);
    end if;
    if private.has_digital_access(new.paid_amount, new.total_amount - new.returned_amount, new.status)
       and not private.has_digital_access(old.paid_amount, old.total_amount - old.returned_amount, old.status) then
      perform private.settle_digital(new.id);
    end if;
  else
    perform private.tally_order(old, -1);
    perform private.write_audit('orders', to_jsonb(old), null);
  end if;
  return null;
end $$;

/* A client's own statement takes nothing back of several orders; set_order_statuses does so where it is chosen. */
create function private.refuse_steps_back()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from new_orders) > 1 and exists (
    select from new_orders as n join old_orders as o using (id)
     where private.step_back_of(o, n.status) is not null
  ) then
    perform private.refuse('PT409', 'step_back_not_chosen', 'Reopen, move back or cancel orders like these one by one.');
  end if;
  return null;
end $$;

/* Forgets the counts and sums of orders when their table is truncated. */
create function private.forget_order_sums()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from private.tallies where counted = 'orders';
  delete from private.sales_changes;
  delete from private.sales;
  return null;
end $$;

create trigger queue_stock_writes before insert or update or delete on public.orders
  for each statement when (current_user in ('authenticated', 'service_role')) execute function private.queue_stock_writes();
-- In pairs, since only a trigger's condition sees whose statement it is: within the functions, the user is their owner.
create trigger before_client_changes before insert or update or delete on public.orders
  for each row when (current_user = 'authenticated') execute function private.before_order_changes('client');
create trigger before_changes before insert or update or delete on public.orders
  for each row when (current_user <> 'authenticated') execute function private.before_order_changes();
create trigger after_client_changes after insert or update or delete on public.orders
  for each row when (current_user = 'authenticated') execute function private.after_order_changes('client');
create trigger after_changes after insert or update or delete on public.orders
  for each row when (current_user <> 'authenticated') execute function private.after_order_changes();
create trigger refuse_steps_back after update on public.orders
  referencing old table as old_orders new table as new_orders
  for each statement when (current_user = 'authenticated') execute function private.refuse_steps_back();
create trigger forget_order_sums after truncate on public.orders for each statement execute function private.forget_order_sums();
