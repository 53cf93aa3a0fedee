-- The life of an order on one page (supabase/schema/4-orders/05-life.sql): one table of all changes of status, and one function each for what
-- comes before and after a row is written, in place of 18 triggers that ran in the order of their names.

drop trigger queue_stock_writes on public.orders;
drop trigger stamp_updated_at on public.orders;
drop trigger record_audit on public.orders;
drop trigger tally_order on public.orders;
drop trigger tally_changed_order on public.orders;
drop trigger forget_tallies on public.orders;
drop trigger record_order_event on public.orders;
drop trigger check_new_order on public.orders;
drop trigger fill_new_order on public.orders;
drop trigger follow_status on public.orders;
drop trigger return_deleted_order on public.orders;
drop trigger refuse_steps_back on public.orders;
drop trigger settle_digital on public.orders;
drop trigger keep_paid_order on public.orders;
drop trigger find_payment_sum on public.orders;
drop trigger queue_new_order_emails on public.orders;
drop trigger count_order_sales on public.orders;
drop trigger uncount_order_sales on public.orders;
drop trigger forget_sales on public.orders;
drop trigger queue_status_emails on public.order_events;
drop function private.tally_order();
drop function private.record_order_event();
drop function private.check_new_order();
drop function private.fill_new_order();
drop function private.follow_status();
drop function private.return_deleted_order();
drop function private.settle_digital_order();
drop function private.keep_paid_order();
drop function private.find_payment_sum();
drop function private.queue_new_order_emails();
drop function private.queue_status_emails();
drop function private.follow_order_sales();
drop function private.forget_sales();
alter table public.orders drop constraint orders_status_is_known;

create function private.order_statuses()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{pending,processing,shipped,delivered,cancelled}'::text[]
$$;
grant execute on function private.order_statuses to authenticated, service_role;

alter table public.orders add constraint orders_status_is_known check (status = any (private.order_statuses()));

/* Whether nothing of an order with this status has been sent: its copies are in the shop, and its lines can be changed. */
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


/*
 * Writes one row of the log: the row before (null if it is new) and after (null if it was deleted). An update of the ignored columns
 * alone, which are maintained automatically, is not logged.
 */
create function private.write_audit(_table text, _before jsonb, _after jsonb, _ignored text[] default '{}')
returns void language plpgsql security definer set search_path = '' as $$
declare
  derived constant text[] := '{search_text,word_text,title_key,name_key,isbn_key,isbn13,school_key,class_key,paid_amount,has_undecided_payment,payment_state}';
  task constant text := coalesce(current_setting('shop.task', true), '');
begin
  -- Not for the demo catalogue, which no person adds or removes; nor while an order's lines are changed, which is one row.
  if task in ('demo', 'change') then return; end if;
  _before := _before - derived;
  _after := _after - derived;
  if _before - _ignored = _after - _ignored then return; end if;
  insert into public.audit_log (table_name, row_id, action, before, after)
  values (_table, coalesce(_after, _before) ->> 'id',
          case when _after is null then 'delete' when _before is not null then 'update' when task = 'restore' then 'restore' else 'insert' end,
          _before, _after);
end $$;

/* Its arguments name the ignored columns. */
create or replace function private.record_audit()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_audit(tg_table_name::text, to_jsonb(old), to_jsonb(new), coalesce(tg_argv, '{}'));
  return null;
end $$;

/* Adds a change of status to an order's history. Returns its id. */
create function private.record_order_event(_order_id uuid, _from text, _to text)
returns bigint language sql volatile security definer set search_path = '' as $$
  insert into public.order_events (order_id, from_status, to_status) values (_order_id, _from, _to) returning id
$$;

/* A customer's new order as it is stored; refuses what it may not be. */
create function private.check_new_order(_order public.orders)
returns public.orders language plpgsql set search_path = '' as $$
begin
  if _order.user_id is distinct from auth.uid() then
    perform private.refuse('PT403', 'order_not_yours', 'You can only place orders for yourself.');
  end if;
  if _order.status is distinct from 'pending' then
    perform private.refuse('PT403', 'order_not_pending', 'A new order must be pending.');
  end if;
  perform private.require_number('total_amount', 'The total', _order.total_amount, 0, 99999999.99);
  _order := private.clean_order(_order);
  perform private.require_number('delivery_fee', 'The delivery fee', _order.delivery_fee, 0, _order.total_amount);
  _order.created_at := clock_timestamp();
  _order.updated_at := _order.created_at;
  _order.stock_held := true;
  return _order;
end $$;

/* Makes the customer's cart the lines of their new order. Refuses all of it if the cart is empty, costs something else or copies are missing. */
create function private.fill_new_order(_order public.orders)
returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  book_ids uuid[];
  quantities int[];
  prices numeric[];
  total numeric;
  fee numeric;
  is_digital boolean;
begin
  perform private.limit_orders(_order.user_id, _order.id);

  select array_agg(book_id) into book_ids from public.cart_items where user_id = _order.user_id;
  perform private.lock_books(book_ids);

  perform from public.cart_items where user_id = _order.user_id order by id for update;

  -- Only what comes back from this delete is ordered: a line that another tab has since taken or changed counts as it is now.
  with taken as (
    delete from public.cart_items where user_id = _order.user_id and book_id = any (book_ids)
    returning book_id, quantity
  )
  select array_agg(b.id), array_agg(t.quantity), array_agg(b.price), sum(b.price * t.quantity), bool_and(b.kind = 'digital')
    into book_ids, quantities, prices, total, is_digital
    from taken t join public.books b on b.id = t.book_id;

  if book_ids is null then
    perform private.refuse('PT409', 'cart_empty', 'Your cart is empty.');
  end if;
  fee := private.require_delivery_fee(_order.region, _order.delivery_method, total, is_digital);
  if total + fee <> _order.total_amount or fee <> _order.delivery_fee then
    perform private.refuse('PT409', 'total_changed', 'Prices or quantities have changed. Please check your cart.',
      jsonb_build_object('total', total + fee, 'delivery_fee', fee, 'lines', (
        select jsonb_agg(jsonb_build_object('book_id', b.id, 'title', b.title, 'price', b.price, 'quantity', l.quantity) order by b.title)
          from unnest(book_ids, quantities) as l (book_id, quantity) join public.books b on b.id = l.book_id)));
  end if;
  perform private.fill_order(_order.id, book_ids, quantities, prices);
end $$;

/*
 * Moves an order's copies as its new status says (private.status_changes). Copies that return_to_stock has returned are not returned again.
 * Returns the order as it is stored.
 */
create function private.follow_status(_old public.orders, _new public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  moved int;
begin
  if _new.status is not distinct from _old.status then return _new; end if;
  if _new.status is null or _new.status <> all (private.order_statuses()) then
    perform private.refuse('PT400', 'invalid_field', 'Unknown order status.',
      jsonb_build_object('field', 'status', 'rule', 'choice', 'choices', private.order_statuses()));
  end if;
  select c.copies into moved from private.status_changes() as c where c.from_status = _old.status and c.to_status = _new.status;
  if (moved = 1 and _old.stock_held) or (moved = -1 and not _old.stock_held) then
    perform private.move_order_stock(_new.id, moved, case moved when 1 then 'cancel' else 'reopen' end);
    _new.stock_held := moved = -1;
  end if;
  return _new;
end $$;

create function private.return_deleted_order(_order public.orders)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if _order.stock_held then
    perform private.move_order_stock(_order.id, 1, 'delete', not private.is_open(_order.status));
  end if;
end $$;

/*
 * Admins: restores an order with its lines as it was when last deleted; returns its id. If its copies returned to stock then, they are taken
 * again, for deleted books from their archived stock; if too few are left, the restore is refused.
 */
create or replace function private.restore_order(_order_id uuid)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  gone public.orders;
begin
  perform private.require_duty('orders', 'deletions');
  perform private.lock_stock(true);
  select * into archived from public.audit_log
   where table_name = 'orders' and row_id = _order_id::text and action = 'delete'
   order by id desc limit 1;
  if not found then
    perform private.refuse('PT404', 'not_in_archive', 'This deletion is no longer in the log.');
  end if;
  gone := jsonb_populate_record(null::public.orders, archived.before);
  perform set_config('shop.task', 'restore', true);
  -- A deletion from before orders had numbers, or deliveries, has none.
  gone.delivery_method := coalesce(gone.delivery_method, 'deliver');
  gone.delivery_fee := coalesce(gone.delivery_fee, 0);
  perform private.insert_order(gone);
  insert into public.order_items (id, order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn, kind)
  select i.id, i.order_id, b.id, i.sold_book_id, i.quantity, i.price, i.title, i.publisher, i.isbn, coalesce(i.kind, b.kind, 'book')
    from public.audit_log a
   cross join lateral jsonb_populate_record(null::public.order_items, a.before) as i
    left join public.books b on b.id = i.sold_book_id
   where a.table_name = 'order_items' and a.action = 'delete'
     and a.transaction_id = archived.transaction_id and a.before ->> 'order_id' = _order_id::text;
  perform set_config('shop.task', '', true);
  if gone.stock_held then
    perform private.move_order_stock(_order_id, -1, 'reopen', not private.is_open(gone.status));
  end if;
  perform private.settle_digital(_order_id);
  return _order_id;
exception when unique_violation then
  perform private.refuse('PT409', 'already_restored', 'This order has already been restored.');
end $$;

/*
 * What a new status would take back of an order, as private.status_changes names it; null if nothing. Staff may do each to one order; to
 * several together only if they choose it.
 */
create or replace function private.step_back(_from text, _to text, _paid numeric)
returns text language sql immutable parallel safe set search_path = '' as $$
  select c.step_back from private.status_changes() as c
   where c.from_status = _from and c.to_status = _to and (c.step_back <> 'cancel_paid' or _paid > 0)
$$;

/*
 * Gives an order with access what it has of digital titles: its codes, an email with a link to the order, and, if there is nothing else in it,
 * the status delivered. It is idempotent. The caller has locked the order, and its copies are out of
 * stock: there are free codes for all of them, and none that another order is being given at this moment.
 */
create or replace function private.settle_digital(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  settled public.orders;
  line record;
  is_digital boolean;
  has_others boolean;
  task constant text := coalesce(current_setting('shop.task', true), '');
begin
  select * into settled from public.orders where id = _order_id;
  if not private.has_digital_access(settled.paid_amount, settled.total_amount, settled.status) then return; end if;
  select bool_or(d.book_id is not null), bool_or(d.book_id is null) into is_digital, has_others
    from public.order_items i
    left join private.digital_titles(array(select l.sold_book_id from public.order_items l where l.order_id = _order_id)) as d on d.book_id = i.sold_book_id
   where i.order_id = _order_id;
  if is_digital is not true then return; end if;
  if settled.stock_held then
    for line in
      select i.sold_book_id as book_id, i.quantity - private.codes_given(_order_id, i.sold_book_id) as missing
        from public.order_items i
        join private.digital_titles(array(select l.sold_book_id from public.order_items l where l.order_id = _order_id)) as d on d.book_id = i.sold_book_id
       where i.order_id = _order_id and d.digital_by = 'code'
    loop
      update private.licence_codes set order_id = _order_id, given_at = clock_timestamp() where id = any (array(
        select c.id from private.licence_codes c where c.book_id = line.book_id and c.order_id is null order by c.id limit greatest(line.missing, 0)
           for update skip locked));
    end loop;
  end if;
  -- One that waits will say the same.
  if not exists (select from public.outgoing_emails e where e.order_id = _order_id and e.kind = 'downloads_ready' and e.state = 'waiting' and e.lease is null) then
    perform private.queue_email('downloads_ready', format('%s:%s', _order_id, clock_timestamp()), _order_id);
  end if;
  if not has_others and private.is_open(settled.status) then
    -- That email says it.
    perform set_config('shop.task', 'download', true);
    update public.orders set status = 'delivered' where id = _order_id;
    perform set_config('shop.task', task, true);
  end if;
end $$;

/* An order with money in it cannot be deleted: that would hide what has to be refunded. */
create function private.keep_paid_order(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.order_payments p where p.order_id = _order_id and (p.paid <> 0 or p.needs_decision)) then
    perform private.refuse('PT409', 'order_is_paid',
      'This order has been paid. Refund it first, or set its status to cancelled instead.');
  end if;
end $$;

/* A restored order finds the payments that came in while it was deleted. */
create function private.find_payment_sum(_order public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
begin
  -- A payment arriving at this moment finds the order, or is found by it (lock_order_payments).
  if current_setting('shop.task', true) = 'restore' then
    perform pg_advisory_xact_lock(hashtext('private.lock_order_payments'), hashtext(_order.id::text));
  end if;
  select s.paid, s.undecided into _order.paid_amount, _order.has_undecided_payment from private.sum_payments(_order.id) as s;
  return _order;
end $$;

/* The emails about a change of an order's status, which is this event of its history. */
create function private.queue_status_emails(_order public.orders, _from text, _event_id bigint)
returns void language plpgsql security definer set search_path = '' as $$
declare
  kinds text[];
begin
  -- An order that is delivered because it can be downloaded has an email of its own (private.settle_digital).
  if current_setting('shop.task', true) = 'download' then return; end if;
  select c.emails into kinds from private.status_changes() as c where c.from_status = _from and c.to_status = _order.status;
  if _order.status = 'cancelled' and _order.user_id = auth.uid() then
    kinds := array_append(kinds, 'order_cancelled_by_customer');
  end if;
  perform private.queue_emails(kinds, _event_id::text, _order.id, _order.status);
end $$;

/* The order, locked, if its lines can be changed. The caller holds the lock on stock. */
create or replace function private.lock_open_order(_order_id uuid)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  locked public.orders;
begin
  select * into locked from public.orders where id = _order_id for no key update;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  elsif not private.is_open(locked.status) then
    perform private.refuse('PT409', 'order_not_open', format('Only pending and processing orders can be changed. This one is %s.', locked.status));
  end if;
  return locked;
end $$;

/* Counts a new order. Its lines count for themselves, even those that the same statement adds. */
create function private.count_new_order(_order public.orders)
returns void language sql volatile security definer set search_path = '' as $$
  insert into private.sales_changes (day, is_line, region, customer_id, orders, delivery, owed)
  select (_order.created_at at time zone 'UTC')::date, false, coalesce(_order.region, ''), _order.user_id, 1,
         (_order.delivery_fee * 100)::bigint, (greatest(_order.total_amount - _order.paid_amount, 0) * 100)::bigint
   where _order.status <> 'cancelled'
$$;

create function private.count_changed_order(_old public.orders, _new public.orders)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if ((_old.status = 'cancelled'), (_old.created_at at time zone 'UTC')::date, _old.region, _old.user_id, _old.delivery_fee)
     is distinct from ((_new.status = 'cancelled'), (_new.created_at at time zone 'UTC')::date, _new.region, _new.user_id, _new.delivery_fee) then
    perform private.count_order(_old, -1), private.count_order(_new, 1);
  elsif _new.status <> 'cancelled' and greatest(_old.total_amount - _old.paid_amount, 0) <> greatest(_new.total_amount - _new.paid_amount, 0) then
    insert into private.sales_changes (day, is_line, region, customer_id, orders, owed)
    values ((_new.created_at at time zone 'UTC')::date, false, coalesce(_new.region, ''), _new.user_id, 0,
            (100 * (greatest(_new.total_amount - _new.paid_amount, 0) - greatest(_old.total_amount - _old.paid_amount, 0)))::bigint);
  end if;
end $$;

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
    -- As private.stamp_updated_at.
    new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
    return new;
  else
    perform private.keep_paid_order(old.id);
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
      event_id := private.record_order_event(new.id, old.status, new.status);
      perform private.queue_status_emails(new, old.status, event_id);
    end if;
    if private.has_digital_access(new.paid_amount, new.total_amount, new.status)
       and not private.has_digital_access(old.paid_amount, old.total_amount, old.status) then
      perform private.settle_digital(new.id);
    end if;
  else
    perform private.tally_order(old, -1);
    perform private.write_audit('orders', to_jsonb(old), null);
  end if;
  return null;
end $$;

/* A client's own statement takes nothing back of several orders; set_order_statuses does so where it is chosen. */
create or replace function private.refuse_steps_back()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from new_orders) > 1 and exists (
    select from new_orders as n join old_orders as o using (id)
     where private.step_back(o.status, n.status, o.paid_amount) is not null
  ) then
    perform private.refuse('PT409', 'step_back_not_chosen', 'Reopen, move back or cancel orders like these one by one.');
  end if;
  return null;
end $$;

/* Truncated orders are no longer counted. */
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
