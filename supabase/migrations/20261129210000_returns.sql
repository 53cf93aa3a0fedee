-- Copies that come back from an order which has left the shop, by line. Those that can be sold again go back to stock, the others are
-- written off. What is refunded for them is no longer owed for the order (orders.returned_amount), so that money which was paid for
-- them is owed back until it is refunded or kept (5-money/8-owed-back). A return is never changed, but it can be undone.


drop function public.list_order_payments(uuid[]);
drop view private.order_payments;
-- Drops with them the indexes below.
alter table public.orders drop column payment_state, drop column owed_back;
alter table public.orders
  add column returned_amount numeric(10, 2) not null default 0,
  add constraint orders_returned_amount_is_of_the_total check (returned_amount between 0 and total_amount),
  add column payment_state text not null
    generated always as (private.payment_state(status, total_amount - returned_amount, paid_amount - kept_amount)) stored,
  add column owed_back numeric not null
    generated always as (private.owed_back(status, total_amount - returned_amount, paid_amount, kept_amount)) stored;
create index orders_due on public.orders (created_at desc, id desc) include (status, delivery_method, region, payment_state)
  where payment_state in ('due', 'part_paid');
create index orders_paid on public.orders (created_at desc, id desc) include (status, delivery_method, region)
  where payment_state = 'paid';
create index orders_to_decide on public.orders (created_at desc, id desc)
  where has_undecided_payment or payment_state = 'too_much';
create index orders_owed on public.orders ((total_amount - returned_amount - paid_amount), created_at desc)
  where payment_state in ('due', 'part_paid');

alter table public.stock_movements drop constraint stock_movements_reason_is_known;
alter table public.stock_movements add constraint stock_movements_reason_is_known check (reason in (
  'order', 'change', 'cancel', 'delete', 'reopen', 'manual', 'import', 'return', 'undo_return',
  'found', 'damaged', 'lost', 'sample', 'gift', 'correction', 'count', 'receipt', 'undo_receipt', 'files', 'codes'
));
alter table public.audit_log drop constraint audit_log_action_is_known;
alter table public.audit_log add constraint audit_log_action_is_known
  check (action in ('insert', 'update', 'delete', 'restore', 'import', 'undo', 'merge', 'change', 'read', 'return', 'undo_return'));

create function private.return_reasons()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{not_needed,wrong_title,damaged,faulty_print,not_collected,other}'::text[]
$$;

create table public.order_returns (
  -- Chosen by the client, so that a retry returns nothing twice.
  id uuid primary key,
  order_id uuid not null references public.orders (id) on delete cascade,
  reason text not null,
  note text,
  -- Whether the order was cancelled: all that was paid was owed back then anyway, and reopening the order takes these copies again.
  of_cancelled boolean not null,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  undone_at timestamptz,
  undone_by uuid,
  constraint order_returns_reason_is_known check (reason = any (private.return_reasons())),
  constraint order_returns_note_is_short check (length(note) <= 500)
);
create index order_returns_by_order on public.order_returns (order_id, created_at);

create table public.order_return_lines (
  return_id uuid not null references public.order_returns (id) on delete cascade,
  -- No foreign key: once the return is undone, the line can be taken out of its order.
  order_item_id uuid not null,
  book_id uuid,
  title text not null,
  copies integer not null,
  resalable boolean not null,
  -- In cedis, for all of these copies.
  refund numeric(10, 2) not null,
  primary key (return_id, order_item_id),
  constraint order_return_lines_copies_are_positive check (copies > 0),
  constraint order_return_lines_refund_is_not_negative check (refund >= 0)
);
create index order_return_lines_by_item on public.order_return_lines (order_item_id);

alter table public.order_returns enable row level security;
alter table public.order_return_lines enable row level security;
grant select on public.order_returns to authenticated, service_role;
grant select on public.order_return_lines to authenticated, service_role;

create policy "staff read the returns of orders" on public.order_returns
  for select to authenticated using ((select private.has_duty('orders')));
create policy "staff read the lines of returns" on public.order_return_lines
  for select to authenticated using ((select private.has_duty('orders')));

/* The copies of an order's line that are returned. */
create function private.copies_returned(_order_item_id uuid)
returns int language sql stable security definer set search_path = '' as $$
  select coalesce(sum(l.copies), 0)::int
    from public.order_return_lines l join public.order_returns r on r.id = l.return_id
   where l.order_item_id = _order_item_id and r.undone_at is null
$$;

/* What is refunded for the returned copies of an order, in cedis. */
create function private.sum_returns(_order_id uuid)
returns numeric language sql stable security definer set search_path = '' as $$
  select coalesce(sum(l.refund), 0)
    from public.order_return_lines l join public.order_returns r on r.id = l.return_id
   where r.order_id = _order_id and r.undone_at is null
$$;

/* The copies of an order that can still be returned: not those of files, nor those whose licence codes were given. */
create function private.copies_to_return(_order_id uuid)
returns table (order_item_id uuid, book_id uuid, title text, price numeric, copies int, has_codes boolean)
language sql stable security definer set search_path = '' as $$
  select i.id, i.sold_book_id, i.title, i.price,
         i.quantity - private.codes_given(_order_id, i.sold_book_id) - private.copies_returned(i.id), d.digital_by is not null
    from public.order_items i
    left join private.digital_titles(array(select l.sold_book_id from public.order_items l where l.order_id = _order_id)) as d
      on d.book_id = i.sold_book_id
   where i.order_id = _order_id and d.digital_by is distinct from 'file'
     and i.quantity > private.codes_given(_order_id, i.sold_book_id) + private.copies_returned(i.id)
$$;

/* Staff: as copies_to_return; none if they are all back in stock. */
create function private.list_copies_to_return(_order_id uuid)
returns table (order_item_id uuid, copies int) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query
    select c.order_item_id, c.copies from public.orders o cross join private.copies_to_return(o.id) as c
     where o.id = _order_id and o.stock_held;
end $$;
select private.expose('list_copies_to_return', 'authenticated', 'service_role');

/*
 * Moves the copies of a return: 1 returns them, -1 takes them again. Copies that can't be sold come back and are written off at once, which
 * leaves the stock as it is. The caller has locked stock and order.
 */
create function private.move_returned_copies(_return_id uuid, _order_id uuid, _direction int, _reason text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  book_ids uuid[];
  quantities int[];
begin
  select array_agg(l.book_id), array_agg(l.copies * _direction) into book_ids, quantities
    from public.order_return_lines l where l.return_id = _return_id and l.resalable and l.book_id is not null;
  if book_ids is not null then
    perform private.move_stock(book_ids, quantities, _reason, _order_id);
  end if;
  insert into public.stock_movements (book_id, quantity, reason, order_id)
  select l.book_id, l.copies * _direction * m.sign, m.reason, _order_id
    from public.order_return_lines l cross join (values (1, _reason), (-1, 'damaged')) as m (sign, reason)
   where l.return_id = _return_id and not l.resalable and l.book_id is not null
   order by l.title, m.sign * _direction desc;
end $$;

/* Writes a return, or that it was undone, into the log, as one row about its order. */
create function private.log_return(_return_id uuid, _action text)
returns void language sql volatile security definer set search_path = '' as $$
  insert into public.audit_log (table_name, row_id, action, after)
  select 'orders', o.id, _action, jsonb_build_object('number', o.number, 'reason', r.reason, 'note', r.note, 'refund', sum(l.refund),
         'lines', jsonb_agg(jsonb_build_object('title', l.title, 'quantity', l.copies, 'resalable', l.resalable)
                            order by private.fold(l.title), l.order_item_id))
    from public.order_returns r
    join public.orders o on o.id = r.order_id
    join public.order_return_lines l on l.return_id = r.id
   where r.id = _return_id
   group by o.id, r.id
$$;

/*
 * Returns copies of an order: [{order_item_id, copies, resalable, refund}], refund in cedis for all copies of the line, by default their
 * price. The caller has locked stock and order.
 */
create function private.write_return(_return_id uuid, _order public.orders, _lines jsonb, _reason text, _note text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := case when jsonb_typeof(_lines) = 'array' then jsonb_array_length(_lines) else 0 end;
  written_note constant text := private.clean_text(_note);
  line record;
begin
  if titles not between 1 and 500
     or (select count(distinct l.order_item_id) from jsonb_to_recordset(_lines) as l (order_item_id uuid)) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different lines of the order, with the copies of each.');
  end if;
  perform private.require_text('reason', 'The reason', _reason, 20, true);
  perform private.require_choice('reason', 'The reason', _reason, private.return_reasons());
  perform private.require_text('note', 'The note', written_note, 500);
  insert into public.order_returns (id, order_id, reason, note, of_cancelled)
  values (_return_id, _order.id, _reason, written_note, _order.status = 'cancelled');
  for line in
    select l.order_item_id, l.copies, coalesce(l.resalable, true) as resalable, l.refund, c.book_id, i.title, i.price,
           coalesce(c.copies, 0) as most, c.has_codes
      from jsonb_to_recordset(_lines) as l (order_item_id uuid, copies int, resalable boolean, refund numeric)
      left join public.order_items i on i.id = l.order_item_id and i.order_id = _order.id
      left join private.copies_to_return(_order.id) as c on c.order_item_id = i.id
  loop
    if line.title is null then
      perform private.refuse('PT404', 'line_not_found', 'A line of this order no longer exists. Check the order again.');
    end if;
    perform private.require_number('copies', 'The number of copies', line.copies, 1, 9999);
    if line.copies > line.most then
      perform private.refuse('PT409', 'more_than_ordered', case line.most
          when 0 then format('No copies of %s can be returned any more.', line.title)
          else format('%s: only %s can still be returned.', line.title, line.most) end,
        jsonb_build_object('order_item_id', line.order_item_id, 'title', line.title, 'most', line.most));
    end if;
    line.refund := case when _order.status = 'cancelled' then 0 else coalesce(line.refund, line.price * line.copies) end;
    perform private.require_number('refund', 'The refund', line.refund, 0, line.price * line.copies);
    perform private.require_pesewas('refund', 'The refund', line.refund);
    insert into public.order_return_lines (return_id, order_item_id, book_id, title, copies, resalable, refund)
    -- A licence code that nobody was given can always be sold.
    values (_return_id, line.order_item_id, line.book_id, line.title, line.copies, line.resalable or line.has_codes, line.refund);
  end loop;
  if private.sum_returns(_order.id) > _order.total_amount then
    perform private.refuse('PT409', 'more_than_total', 'The refunds can''t be more than the order''s total.');
  end if;
  perform private.move_returned_copies(_return_id, _order.id, 1, 'return');
  update public.orders
     set returned_amount = private.sum_returns(id), stock_held = exists (select from private.copies_to_return(id))
   where id = _order.id;
  perform private.log_return(_return_id, 'return');
end $$;

/* The order, locked with the stock; refuses when it was deleted. */
create function private.lock_order_with_stock(_order_id uuid)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  locked public.orders;
begin
  perform private.lock_stock(true);
  select * into locked from public.orders where id = _order_id for no key update;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  return locked;
end $$;

/*
 * Staff: returns copies of a shipped, delivered or cancelled order, once per _return_id. _lines as in write_return; _reason one of
 * return_reasons. Of a cancelled order no refund is written down, since all that was paid for it is owed back.
 */
create function private.return_copies(_return_id uuid, _order_id uuid, _lines jsonb, _reason text, _note text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
begin
  perform private.require_duty('orders');
  of_order := private.lock_order_with_stock(_order_id);
  if exists (select from public.order_returns r where r.id = _return_id and r.order_id = _order_id) then return; end if;
  if private.is_open(of_order.status) then
    perform private.refuse('PT409', 'order_not_sent', 'Nothing of this order has been sent. Change or cancel the order instead.');
  end if;
  if not of_order.stock_held then
    perform private.refuse('PT409', 'nothing_to_return', 'The copies of this order are already back in stock.');
  end if;
  perform private.write_return(coalesce(_return_id, gen_random_uuid()), of_order, _lines, _reason, _note);
end $$;
select private.expose('return_copies', 'authenticated', 'service_role');

/* Staff: returns all copies of an order that have not been returned, as good as new. It refunds nothing: nobody has decided that. */
create or replace function private.return_to_stock(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  lines jsonb;
begin
  perform private.require_duty('orders');
  of_order := private.lock_order_with_stock(_order_id);
  select jsonb_agg(jsonb_build_object('order_item_id', c.order_item_id, 'copies', c.copies, 'refund', 0)) into lines
    from private.copies_to_return(_order_id) as c where of_order.stock_held;
  if lines is null then
    perform private.refuse('PT409', 'nothing_to_return', 'The copies of this order are already back in stock.');
  end if;
  perform private.write_return(gen_random_uuid(), of_order, lines, 'other', null);
end $$;

/* Staff: undoes a return. Its copies are taken out of stock again; refused with the titles that have too few. Repeating it changes nothing. */
create function private.undo_return(_return_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
begin
  perform private.require_duty('orders');
  perform private.lock_stock(true);
  select o.* into of_order from public.orders o
   where o.id = (select r.order_id from public.order_returns r where r.id = _return_id) for no key update;
  if not found then
    perform private.refuse('PT404', 'return_not_found', 'This return no longer exists.');
  end if;
  if exists (select from public.order_returns r where r.id = _return_id and r.undone_at is not null) then return; end if;
  -- Cancelling has returned the others: reopening would take these copies a second time.
  if not of_order.stock_held and exists (select from private.copies_to_return(of_order.id)) then
    perform private.refuse('PT409', 'order_cancelled',
      'This order is cancelled and its copies are back in stock. Reopen it before you undo the return.');
  end if;
  perform private.move_returned_copies(_return_id, of_order.id, -1, 'undo_return');
  update public.order_returns set undone_at = clock_timestamp(), undone_by = auth.uid() where id = _return_id;
  update public.orders set returned_amount = private.sum_returns(id), stock_held = true where id = of_order.id;
  perform private.log_return(_return_id, 'undo_return');
  if exists (select from public.order_return_lines l cross join private.digital_titles(array[l.book_id]) where l.return_id = _return_id) then
    perform private.settle_digital(of_order.id);
  end if;
end $$;
select private.expose('undo_return', 'authenticated', 'service_role');

/*
 * Takes the copies of an order that is being reopened: those that its cancellation returned, and with them the returns that were recorded
 * while it was cancelled, or all of them if nothing else would be left to send. Copies that were written off are taken anew.
 */
create function private.take_reopened_copies(_order public.orders)
returns void language plpgsql security definer set search_path = '' as $$
declare
  undone uuid[];
  book_ids uuid[];
  quantities int[];
begin
  undone := array(select r.id from public.order_returns r where r.order_id = _order.id and r.undone_at is null and r.of_cancelled);
  if cardinality(undone) = 0 and not exists (select from private.copies_to_return(_order.id)) then
    undone := array(select r.id from public.order_returns r where r.order_id = _order.id and r.undone_at is null);
  end if;
  update public.order_returns set undone_at = clock_timestamp(), undone_by = auth.uid() where id = any (undone);
  perform private.log_return(id, 'undo_return') from unnest(undone) as id;
  if not _order.stock_held then
    perform private.move_order_stock(_order.id, -1, 'reopen');
    return;
  end if;
  select array_agg(t.book_id), array_agg(t.copies) into book_ids, quantities
    from (select l.book_id, -sum(l.copies)::int as copies from public.order_return_lines l
           where l.return_id = any (undone) and l.book_id is not null group by l.book_id) as t;
  if book_ids is not null then
    perform private.move_stock(book_ids, quantities, 'reopen', _order.id);
  end if;
end $$;

/* An order whose copies have come back can't be deleted: restoring it would take them from stock again. */
create function private.keep_returned_order(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.order_returns r where r.order_id = _order_id and r.undone_at is null) then
    perform private.refuse('PT409', 'order_has_returns', 'Copies of this order have been returned, so it can''t be deleted. Undo the return first.');
  end if;
end $$;

/*
 * What each order's customer has paid, still owes, and is owed: the one rule. Of a cancelled order nothing is owed.
 * state: see private.payment_state. Under the caller's rights: there is no row for others' orders.
 */
create view private.order_payments with (security_invoker = true) as
select o.id as order_id, o.total_amount as total, o.paid_amount as paid,
       case when o.status = 'cancelled' then 0::numeric else greatest(o.total_amount - o.returned_amount - o.paid_amount, 0) end as due,
       o.payment_state as state,
       o.has_undecided_payment or o.payment_state = 'too_much' as needs_decision,
       o.owed_back, o.kept_amount as kept, o.returned_amount as returned
  from public.orders o;
grant select on private.order_payments to authenticated, service_role;

/*
 * What these orders' customers have paid, still owe and are owed, and what staff have decided to keep, in cedis, and what is refunded for
 * returned copies, which is no longer due of the total; only orders that the caller may read, at most 1,000.
 */
create function public.list_order_payments(_order_ids uuid[])
returns table (order_id uuid, total numeric, paid numeric, due numeric, state text, needs_decision boolean, owed_back numeric, kept numeric,
               returned numeric)
language sql stable set search_path = '' as $$
  select p.order_id, p.total, p.paid, p.due, p.state, p.needs_decision, p.owed_back, p.kept, p.returned
    from private.order_payments p where p.order_id = any (_order_ids[:1000])
$$;
grant execute on function public.list_order_payments to authenticated, service_role;

/* The columns with which an order is placed: all except those that the database maintains or computes, and those of its shipment. */
create or replace function private.order_columns(_prefix text default '')
returns text language sql stable set search_path = '' as $$
  select string_agg(_prefix || quote_ident(attname), ', ' order by attnum)
    from pg_catalog.pg_attribute
   where attrelid = 'public.orders'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     and attname <> all ('{number,stock_held,terms_version,created_at,updated_at,paid_amount,has_undecided_payment,kept_amount,returned_amount}')
     and attname <> all (array(select name from private.shipment_texts()))
$$;

/* Before the row is written: what refuses or changes it. */
create or replace function private.before_order_changes()
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
    perform private.keep_returned_order(old.id);
    perform private.return_deleted_order(old);
    -- While its lines are there.
    perform private.count_order(old, -1);
    return old;
  end if;
end $$;

/* After the row is written: what follows from it. */
create or replace function private.after_order_changes()
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

/*
 * Moves all copies of an order, even those of deleted books: 1 returns them, -1 takes them. Not those that are returned already, nor those
 * of a digital title whose codes were given: they stay with the order. _only_codes moves no others than those of digital titles, which
 * nobody has sent.
 */
create or replace function private.move_order_stock(_order_id uuid, _direction int, _reason text, _only_codes boolean default false)
returns void language plpgsql security definer set search_path = '' as $$
declare
  book_ids uuid[];
  quantities int[];
begin
  select array_agg(i.sold_book_id), array_agg(i.copies * _direction) into book_ids, quantities
    from (select sold_book_id, quantity - private.codes_given(_order_id, sold_book_id) - private.copies_returned(id) as copies
            from public.order_items where order_id = _order_id offset 0) as i
   where i.copies <> 0
     and (not _only_codes or exists (select from private.digital_titles(array[i.sold_book_id]) as d where d.digital_by = 'code'));
  if book_ids is not null then
    perform private.move_stock(book_ids, quantities, _reason, _order_id);
  end if;
end $$;

/*
 * Moves an order's copies as its new status says (private.status_changes). Returns the order as it is stored.
 */
create or replace function private.follow_status(_old public.orders, _new public.orders)
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
  if moved = 1 and _old.stock_held then
    perform private.move_order_stock(_new.id, 1, 'cancel');
    _new.stock_held := false;
  elsif moved = -1 then
    perform private.take_reopened_copies(_old);
    _new.stock_held := true;
    _new.returned_amount := private.sum_returns(_new.id);
  end if;
  return _new;
end $$;

/*
 * Customers: the steps of one of their own orders, oldest first, each with its time: 'placed', 'paid' (in full, for the first time),
 * 'refunded', 'returned' (some copies) or a status; staff: of any order. Corrected payments are left out. Does not name who made the change, which only staff
 * see (order_events).
 */
create or replace function private.order_timeline(_order_id uuid)
returns table (step text, happened_at timestamptz)
language sql stable security definer set search_path = '' as $$
  with mine as (
    select o.id, o.total_amount - o.returned_amount as total_amount, o.created_at from public.orders o
     where o.id = _order_id and (o.user_id = auth.uid() or private.has_duty('orders'))
  ), moved as (
    select x.kind, x.settled_at, mine.total_amount, sum(x.amount) over (order by x.settled_at, x.id) as paid
      from mine join public.payments x on x.order_id = mine.id and x.state = 'settled' and x.kind <> 'correction'
     where not exists (select from public.payments c where c.about = x.id and c.kind = 'correction')
  )
  select 'placed', created_at from mine
  union all
  select e.to_status, e.created_at from mine join public.order_events e on e.order_id = mine.id
  union all
  select 'paid', min(settled_at) from moved where paid >= total_amount having count(*) > 0
  union all
  select 'refunded', settled_at from moved where kind = 'refund'
  union all
  select 'returned', r.created_at from mine join public.order_returns r on r.order_id = mine.id and r.undone_at is null
   order by 2, 1
$$;

/* Staff: the names of those who changed the status of this order, wrote about it or returned copies, their email if they have no name. */
create or replace function private.list_order_actors(_order_id uuid)
returns table (id uuid, name text) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query
    select p.id, coalesce(p.full_name, p.email) from public.profiles p
     where p.id in (select e.actor from public.order_events e where e.order_id = _order_id
                    union select n.actor from public.order_notes n where n.order_id = _order_id
                    union select unnest(array[r.actor, r.undone_by]) from public.order_returns r where r.order_id = _order_id);
end $$;

/* Staff: the files and code counts of a digital title; null for other titles. sold: copies in paid orders; free: codes that no order has or holds. */
create or replace function private.list_digital(_book_id uuid)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  book public.books;
  sold bigint;
begin
  perform private.require_duty('catalogue');
  select * into book from public.books where id = _book_id and kind = 'digital';
  if not found then return null; end if;
  select coalesce(sum(i.quantity), 0) into sold
    from public.order_items i join public.orders o on o.id = i.order_id
   where i.sold_book_id = _book_id and private.has_digital_access(o.paid_amount, o.total_amount - o.returned_amount, o.status);
  return jsonb_build_object('digital_by', book.digital_by,
    'files', (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'type', f.type, 'size', f.size, 'added_at', f.added_at,
                                                           'sold', sold) order by f.added_at, f.id), '[]')
                from private.digital_files f where f.book_id = _book_id and f.removed_at is null),
    'codes', (select jsonb_build_object('free', case when book.digital_by = 'code' then book.stock_quantity else 0 end,
                       'held', count(*) filter (where c.order_id is null) - case when book.digital_by = 'code' then book.stock_quantity else 0 end,
                       'given', count(c.order_id))
                from private.licence_codes c where c.book_id = _book_id));
end $$;

/*
 * Whether an order's customer sees its files and codes now. Money that Paystack is refunding counts as refunded at once, although it is sent
 * days later; if the refund fails, access is back.
 */
create or replace function private.has_order_access(_order public.orders)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_digital_access(
    _order.paid_amount + (
      -- A refund of money that doesn't count (needs_decision, set_aside) takes nothing away.
      select coalesce(sum(r.amount), 0)
        from public.payments r join public.payments p on p.id = r.about and p.state = 'settled'
       where r.order_id = _order.id and r.kind = 'refund' and r.state = 'open'),
    _order.total_amount - _order.returned_amount, _order.status);
end $$;

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
  if not private.has_digital_access(settled.paid_amount, settled.total_amount - settled.returned_amount, settled.status) then return; end if;
  select bool_or(d.book_id is not null), bool_or(d.book_id is null) into is_digital, has_others
    from public.order_items i
    left join private.digital_titles(array(select l.sold_book_id from public.order_items l where l.order_id = _order_id)) as d on d.book_id = i.sold_book_id
   where i.order_id = _order_id;
  if is_digital is not true then return; end if;
  if settled.stock_held then
    for line in
      select i.sold_book_id as book_id, i.quantity - private.codes_given(_order_id, i.sold_book_id) - private.copies_returned(i.id) as missing
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

/*
 * Staff: which orders the lines of a statement pay, up to 1,000 objects with amount (cedis, money received), day, and what else the statement
 * says: reference (the transaction's id), name and phone of the payer, narration. Records nothing. One row for each line, in order from 1:
 *   outcome 'recorded': a payment of this method has this reference; 'repeated': an earlier line has it, about_line; 'proposed': the first
 *           of orders; 'doubtful': staff choose among orders, or nothing; 'unknown': no order was found
 *   reason  what the orders were found by: 'number' or 'named' (their number stands among other words, or as an order's number),
 *           'phone', 'name' (with this amount due), or only 'amount' (due)
 *   doubt   why nothing is proposed: 'several' orders; 'other_line' (the order is proposed for about_line and not more is due); 'more_than_due';
 *           'nothing_due'; 'other_amount' (the number among other words, but another amount is due); 'similar' (a payment of this day,
 *           amount and method without a reference is recorded, for about_order)
 *   matches how many orders (at most 500 of one amount are looked at, the newest); orders the newest ten of them.
 */
create or replace function private.match_statement(_method text, _lines jsonb)
returns table (line int, outcome text, reason text, doubt text, about_line int, about_order bigint, matches int, orders jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  perform private.require_statement_method(_method);
  perform private.require_statement_lines(_lines);
  return query
  with given as materialized (
    select e.place::int as line, (e.l ->> 'amount')::numeric as amount, (e.l ->> 'day')::date as day,
           upper(private.clean_line(left(e.l ->> 'reference', 200))) as reference, left(e.l ->> 'narration', 500) as narration,
           left(e.l ->> 'name', 200) as name, left(e.l ->> 'phone', 100) as phone
      from jsonb_array_elements(_lines) with ordinality as e (l, place)
  ), typed as materialized (
    select g.*, private.name_words(private.fold(g.name)) as payer, private.name_words(private.fold(concat_ws(' ', g.name, g.narration))) as words,
           private.phone_keys(concat_ws(' ', g.phone, g.name, g.narration))
             || nullif(right(substring(regexp_replace(g.phone, '[^0-9]', '', 'g') from '^.{9,15}$'), 9), '') as phones,
           min(g.line) over (partition by g.reference) as first_line
      from given g
  ), recorded as materialized (
    select t.line, p.order_number from typed t join lateral (
      select p.order_number from public.payments p
       where p.method = _method and p.method <> 'paystack' and upper(p.reference) = t.reference and p.kind = 'payment'
         and not exists (select from public.payments c where c.kind = 'correction' and c.about = p.id)
       limit 1) as p on true
  ), open_lines as materialized (
    select t.* from typed t
     where (t.reference is null or t.line = t.first_line) and not exists (select from recorded r where r.line = t.line)
  ), days_payments as materialized (
    select p.paid_on, p.amount, p.reference is null as bare, max(p.order_number) as order_number from public.payments p
     where p.state = 'settled' and p.method = _method and p.kind = 'payment' and p.paid_on in (select distinct l.day from open_lines l)
       and not exists (select from public.payments c where c.kind = 'correction' and c.about = p.id)
     group by 1, 2, 3
  ), owed as materialized (
    select a.amount, o.id, o.recent, o.of_amount, split_part(o.search_text, E'\n', 2) as recipient, split_part(x.search_text, E'\n', 1) as customer,
           array[right(split_part(o.search_text, E'\n', 5), 9), right(split_part(x.search_text, E'\n', 4), 9)] as phones
      from (select distinct l.amount from open_lines l) as a
     cross join lateral (
       select o.id, o.user_id, o.search_text, row_number() over (order by o.created_at desc) as recent, count(*) over () as of_amount
         from (select * from public.orders o where o.payment_state in ('due', 'part_paid') and o.total_amount - o.returned_amount - o.paid_amount = a.amount
                order by o.created_at desc limit 500) as o) as o
      left join public.profiles x on x.id = o.user_id
  ), owed_phones as materialized (
    select distinct w.amount, w.id, u.phone from owed w cross join unnest(w.phones) as u (phone) where length(u.phone) = 9
  ), line_phones as materialized (
    select distinct l.line, l.amount, u.phone from open_lines l cross join unnest(l.phones) as u (phone)
  ), by_phone as materialized (
    select distinct l.line, w.id from line_phones l join owed_phones w on w.amount = l.amount and w.phone = l.phone
  ), owed_words as materialized (
    select n.amount, n.id, n.at, cardinality(n.words) as size, u.word
      from (select w.amount, w.id, 1 as at, private.name_words(w.recipient) as words from owed w
            union all select w.amount, w.id, 2, private.name_words(w.customer) from owed w where w.customer is distinct from w.recipient) as n
     cross join unnest(n.words) as u (word)
  ), line_words as materialized (
    select l.line, l.amount, u.word, u.word = any (l.payer) as is_payer, cardinality(l.payer) as payer_size
      from open_lines l cross join unnest(l.words) as u (word)
  ), by_name as materialized (
    -- All words of the order's name, at least two, are the line's, or all of the payer's are the order's.
    select distinct l.line, w.id from line_words l join owed_words w on w.amount = l.amount and w.word = l.word
     group by l.line, l.payer_size, w.id, w.at, w.size
    having (w.size >= 2 and count(*) = w.size) or (l.payer_size >= 2 and count(*) filter (where l.is_payer) = l.payer_size)
  ), numbered as materialized (
    select l.line, o.id, bool_or(n.named) as named, l.amount, d.due,
           bool_or(right(split_part(o.search_text, E'\n', 5), 9) = any (l.phones)
                   or (cardinality(l.payer) >= 2 and l.payer <@ private.name_words(split_part(o.search_text, E'\n', 2)))) as by_person
      from open_lines l cross join lateral private.order_numbers_in(l.narration, l.name, l.reference) as n
      join public.orders o on o.number = n.number
     cross join lateral (select case when o.status = 'cancelled' then 0 else greatest(o.total_amount - o.returned_amount - o.paid_amount, 0) end as due) as d
     group by l.line, o.id, l.amount, d.due
  ), found (line, id, rank, reason, of_amount) as (
    select n.line, n.id, case when n.named then 1
                              when n.due = n.amount or (n.by_person and n.amount <= n.due) then 2
                              else 5 end,
           case when n.named then 'named' else 'number' end, 0
      from numbered n where n.named or n.due > 0
    union all
    select p.line, p.id, 3, 'phone', 0 from by_phone p
    union all
    select n.line, n.id, 3, 'name', 0 from by_name n where not exists (select from by_phone p where p.line = n.line and p.id = n.id)
    union all
    select l.line, w.id, 4, 'amount', w.of_amount from open_lines l join owed w on w.amount = l.amount and w.recent <= 10
  ), best as (
    select f.*, rank() over (partition by f.line order by f.rank) as place from found f
  ), chosen as materialized (
    select b.line, b.rank, b.id, b.reason, greatest(b.of_amount, count(*) over (partition by b.line)) as matches,
           row_number() over (partition by b.line order by o.created_at desc, o.id) as at, o.number, o.status, o.total_amount,
           o.recipient_name, o.user_id, o.created_at, l.amount,
           case when o.status = 'cancelled' then 0 else greatest(o.total_amount - o.returned_amount - o.paid_amount, 0) end as due
      from best b join open_lines l on l.line = b.line join public.orders o on o.id = b.id
     where b.place = 1
  ), proposed as (
    -- What stronger and earlier lines pay of an order is no longer due for the others.
    select c.line, sum(c.amount) over of_order > c.due as is_too_much, first_value(c.line) over of_order as first_line
      from chosen c where c.matches = 1 and c.rank <= 4 and c.amount <= c.due
    window of_order as (partition by c.id order by c.rank, c.line rows unbounded preceding)
  ), listed as (
    select c.line, min(c.reason) filter (where c.at = 1) as reason, min(c.rank) as rank, min(c.matches)::int as matches, min(c.due) as due,
           jsonb_agg(jsonb_build_object('id', c.id, 'number', c.number, 'status', c.status, 'total', c.total_amount, 'due', c.due,
             'recipient', c.recipient_name, 'customer', x.full_name, 'placed_at', c.created_at) order by c.at) as orders
      from chosen c left join public.profiles x on x.id = c.user_id
     where c.at <= 10 group by c.line
  ), judged as (
    select t.line, r.line is not null as is_recorded, l.line is null and r.line is null as is_repeated, t.first_line,
           r.order_number as recorded_order, f.reason, f.matches, f.orders, p.first_line as other_line,
           case when s.order_number is not null then s.order_number end as similar_order,
           case when s.paid_on is not null then 'similar'
                when f.matches > 1 then 'several'
                when f.due = 0 then 'nothing_due'
                when f.rank = 5 then 'other_amount'
                when t.amount > f.due then 'more_than_due'
                when p.is_too_much then 'other_line' end as doubt
      from typed t
      left join recorded r on r.line = t.line
      left join open_lines l on l.line = t.line
      left join listed f on f.line = t.line
      left join proposed p on p.line = t.line
      left join lateral (
        select d.paid_on, d.order_number from days_payments d
         where l.line is not null and d.paid_on = l.day and d.amount = l.amount and (d.bare or l.reference is null)
         limit 1) as s on true
  )
  select j.line,
         case when j.is_recorded then 'recorded' when j.is_repeated then 'repeated'
              when j.doubt is not null then 'doubtful' when j.reason is null then 'unknown' else 'proposed' end,
         j.reason, j.doubt, case when j.is_repeated then j.first_line when j.doubt = 'other_line' then j.other_line end,
         case when j.is_recorded then j.recorded_order when j.doubt = 'similar' then j.similar_order end,
         coalesce(j.matches, 0), coalesce(j.orders, '[]')
    from judged j order by j.line;
end $$;

/*
 * No more is kept than is overpaid: what is refunded, and what a reopened order costs, are not kept any longer. A note about the order says
 * so, since what staff decided no longer holds.
 */
create or replace function private.limit_kept_amount(_order public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  most constant numeric := private.owed_back(_order.status, _order.total_amount - _order.returned_amount, _order.paid_amount, 0);
begin
  if _order.kept_amount > most then
    insert into public.order_notes (order_id, body)
    values (_order.id, format('GH₵%s of the money is no longer kept.', to_char(_order.kept_amount - most, 'FM999999990.00')));
    _order.kept_amount := most;
  end if;
  return _order;
end $$;

/*
 * Staff: keeps _amount cedis of what is owed back for an order, in place of what was kept before; 0 owes all of it again. The reason, which
 * an amount needs, becomes a note about the order, once per _note_id.
 */
create or replace function private.keep_overpayment(_order_id uuid, _amount numeric, _reason text default null, _note_id uuid default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  written_reason constant text := private.clean_text(_reason);
  most numeric;
begin
  perform private.require_duty('payments', 'refunds');
  of_order := private.require_payment_order(_order_id);
  perform private.require_number('amount', 'The amount', _amount, 0, 99999999.99);
  perform private.require_pesewas('amount', 'The amount', _amount);
  if _amount = of_order.kept_amount then return; end if;
  perform private.require_text('reason', 'The reason', written_reason, 500, _amount > 0);
  most := least(private.owed_back(of_order.status, of_order.total_amount - of_order.returned_amount, of_order.paid_amount, 0),
                private.refundable_amount(_order_id));
  if _amount > most then
    perform private.refuse('PT409', 'more_than_owed_back', format('You can keep up to GH₵%s.', to_char(greatest(most, 0), 'FM999999990.00')),
      jsonb_build_object('most', greatest(most, 0)));
  end if;
  update public.orders set kept_amount = _amount where id = _order_id;
  insert into public.order_notes (id, order_id, body)
  values (coalesce(_note_id, gen_random_uuid()), _order_id,
          case when _amount > 0 then format('Kept GH₵%s: %s', to_char(_amount, 'FM999999990.00'), written_reason)
               else 'No money is kept any longer.' end)
  on conflict (id) do nothing;
end $$;

/* Adds (1) or subtracts (-1) an order with its current lines. A cancelled order doesn't count. */
create or replace function private.count_order(_order public.orders, _sign int)
returns void language sql security definer set search_path = '' as $$
  insert into private.sales_changes (day, is_line, book_id, region, customer_id, orders, copies, books, delivery, owed, cost)
  select (_order.created_at at time zone 'UTC')::date, c.is_line, c.book_id, coalesce(_order.region, ''), _order.user_id, _sign, _sign * c.copies,
         _sign * c.books, _sign * c.delivery, _sign * c.owed, _sign * c.cost
    from (select false as is_line, null::uuid as book_id, 0 as copies, 0::bigint as books, (_order.delivery_fee * 100)::bigint as delivery,
                 (greatest(_order.total_amount - _order.returned_amount - _order.paid_amount, 0) * 100)::bigint as owed, null::bigint as cost
          union all
          select true, i.sold_book_id, i.quantity, (i.quantity * i.price * 100)::bigint, 0, 0,
                 private.cost_of_copies(i.sold_book_id, i.quantity, _order.created_at)
            from public.order_items i where i.order_id = _order.id) as c
   where _order.status <> 'cancelled'
$$;

/* Counts a new order. Its lines count for themselves, even those that the same statement adds. */
create or replace function private.count_new_order(_order public.orders)
returns void language sql volatile security definer set search_path = '' as $$
  insert into private.sales_changes (day, is_line, region, customer_id, orders, delivery, owed)
  select (_order.created_at at time zone 'UTC')::date, false, coalesce(_order.region, ''), _order.user_id, 1,
         (_order.delivery_fee * 100)::bigint, (greatest(_order.total_amount - _order.returned_amount - _order.paid_amount, 0) * 100)::bigint
   where _order.status <> 'cancelled'
$$;

create or replace function private.count_changed_order(_old public.orders, _new public.orders)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if ((_old.status = 'cancelled'), (_old.created_at at time zone 'UTC')::date, _old.region, _old.user_id, _old.delivery_fee)
     is distinct from ((_new.status = 'cancelled'), (_new.created_at at time zone 'UTC')::date, _new.region, _new.user_id, _new.delivery_fee) then
    perform private.count_order(_old, -1), private.count_order(_new, 1);
  elsif _new.status <> 'cancelled' and greatest(_old.total_amount - _old.returned_amount - _old.paid_amount, 0) <> greatest(_new.total_amount - _new.returned_amount - _new.paid_amount, 0) then
    insert into private.sales_changes (day, is_line, region, customer_id, orders, owed)
    values ((_new.created_at at time zone 'UTC')::date, false, coalesce(_new.region, ''), _new.user_id, 0,
            (100 * (greatest(_new.total_amount - _new.returned_amount - _new.paid_amount, 0) - greatest(_old.total_amount - _old.returned_amount - _old.paid_amount, 0)))::bigint);
  end if;
end $$;

/* A full count of all orders, as rows of private.sales. */
create or replace function private.counted_sales()
returns setof private.sales language sql stable security definer set search_path = '' as $$
  with lines as (
    select (o.created_at at time zone 'UTC')::date as day, coalesce(o.region, '') as region, coalesce(o.user_id, private.no_key()) as customer,
           coalesce(i.sold_book_id, private.no_key()) as book, 0 as orders, i.quantity as copies, i.quantity * i.price as books,
           0::numeric as delivery, 0::numeric as owed, private.cost_of_copies(i.sold_book_id, i.quantity, o.created_at) as cost
      from public.orders o join public.order_items i on i.order_id = o.id where o.status <> 'cancelled'
    union all
    select (o.created_at at time zone 'UTC')::date, coalesce(o.region, ''), coalesce(o.user_id, private.no_key()), null, 1, 0, 0, o.delivery_fee,
           greatest(o.total_amount - o.returned_amount - o.paid_amount, 0), null
      from public.orders o where o.status <> 'cancelled'
  ), days as (
    select 'region' as dimension, private.no_key() as key, region, day, sum(orders) as orders, sum(copies) as copies,
           sum(books) as books, sum(delivery) as delivery, sum(owed) as owed, 0::numeric as cost
      from lines group by region, day
    union all
    select 'customer', customer, '', day, sum(orders), sum(copies), sum(books), sum(delivery), sum(owed), 0 from lines group by customer, day
    union all
    select 'book', book, '', day, count(*), sum(copies), sum(books), 0, 0, 0 from lines where book is not null group by book, day
    union all
    select 'costed', book, '', day, count(*), sum(copies), sum(books), 0, 0, sum(cost) from lines where cost is not null group by book, day
  )
  select d.dimension, d.key, g.grain, g.start, sum(d.orders)::int, sum(d.copies)::int, (sum(d.books) * 100)::bigint,
         (sum(d.delivery) * 100)::bigint, (sum(d.owed) * 100)::bigint, sum(d.cost)::bigint, d.region
    from days d,
         lateral (values ('day', d.day), ('month', date_trunc('month', d.day)::date), ('all', date '0001-01-01')) as g (grain, start)
   where g.grain <> 'all' or d.dimension = 'customer'
   group by d.dimension, d.key, d.region, g.grain, g.start
$$;

/* An email's order as its text needs it; null when it has been deleted. */
create or replace function private.email_order(_order_id uuid)
returns jsonb language sql stable security definer set search_path = '' as $$
  select private.typed_of_order(to_jsonb(o)) || jsonb_build_object(
    'id', o.id, 'number', o.number, 'has_account', o.user_id is not null, 'total', o.total_amount, 'placed_at', o.created_at,
    'name', coalesce(o.recipient_name, p.full_name), 'email', case when o.user_id is null then o.recipient_email else p.email end,
    'recipient_email', case when lower(o.recipient_email) <> lower(p.email) then o.recipient_email end,
    'phone', coalesce(o.recipient_phone, p.phone), 'delivery_fee', o.delivery_fee, 'paid', o.paid_amount, 'returned', o.returned_amount,
    'owed_back', o.owed_back,
    'carrier', o.carrier, 'parcel_number', o.parcel_number, 'driver_phone', o.driver_phone,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'quantity', i.quantity, 'price', i.price)
                       order by private.fold(i.title), i.id)
        from public.order_items i where i.order_id = o.id), '[]'))
    from public.orders o left join public.profiles p on p.id = o.user_id
   where o.id = _order_id
$$;

/*
 * Writes one row of the log: the row before (null if it is new) and after (null if it was deleted). An update of the ignored columns
 * alone, which are maintained automatically, is not logged.
 */
create or replace function private.write_audit(_table text, _before jsonb, _after jsonb, _ignored text[] default '{}')
returns void language plpgsql security definer set search_path = '' as $$
declare
  derived constant text[] := '{search_text,word_text,title_key,name_key,isbn_key,isbn13,school_key,class_key,paid_amount,has_undecided_payment,payment_state,owed_back,returned_amount}';
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

/*
 * The stock of a digital title follows its files and codes, whatever else is written: what a form, a list or a restored price says of it is
 * left out. A title in use keeps its kind.
 */
create or replace function private.keep_digital_stock()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  task constant text := coalesce(current_setting('shop.task', true), '');
begin
  if (new.kind = 'digital') <> (old.kind = 'digital') or new.digital_by <> old.digital_by then
    if private.is_digital_in_use(new.id) then
      perform private.refuse('PT409', 'kind_in_use', format('%s has files, codes or sales: it can''t become %s. Add a new title instead.', old.title,
        case when new.kind <> 'digital' then 'one that isn''t digital' when old.kind <> 'digital' then 'digital' else 'one that is delivered otherwise' end),
        jsonb_build_object('book_id', new.id));
    end if;
    if new.kind = 'digital' then new.stock_quantity := 0; end if;
  elsif task not in ('files', 'codes') and (new.digital_by = 'file' or task not in ('order', 'change', 'cancel', 'delete', 'reopen', 'return', 'undo_return')) then
    new.stock_quantity := old.stock_quantity;
  end if;
  return new;
end $$;

/*
 * Removes personal data from these orders, including deleted ones, and from their emails, payments, notes and log;
 * returns how many stay.
 */
create or replace function private.scrub_orders(_order_ids uuid[])
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  execute (select format('update public.orders set %s where id = any ($1)', string_agg(format('%I = null', name), ', '))
             from unnest(private.personal_order_texts()) as name) using _order_ids;
  get diagnostics kept = row_count;
  delete from public.outgoing_emails where order_id = any (_order_ids) and state = 'waiting';
  delete from private.download_tickets where order_id = any (_order_ids);
  update public.payments set note = null where order_id = any (_order_ids) and note is not null;
  update public.order_returns set note = null where order_id = any (_order_ids) and note is not null;
  perform set_config('shop.task', 'anonymise', true);
  update public.order_notes set body = null where order_id = any (_order_ids);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where (table_name = 'orders' and row_id = any (_order_ids::text[]))
      or (table_name = 'payments' and coalesce(after, before) ->> 'order_id' = any (_order_ids::text[]));
  perform set_config('shop.task', '', true);
  return kept;
end $$;

/*
 * Replaces an order's lines by these, as order_lines_as_json has them; a line without an id is new. Moves the difference in copies, or
 * refuses the whole change with the titles that have too few. The caller has locked stock and order.
 */
create or replace function private.write_order_lines(_order public.orders, _lines jsonb, _delivery_fee numeric)
returns void language plpgsql security definer set search_path = '' as $$
declare
  before constant jsonb := private.changed_order_as_json(_order.id);
  book_ids uuid[];
  quantities int[];
  total numeric;
  change_id bigint;
  holds boolean;
begin
  select sum(l.price * l.quantity) + _delivery_fee into total from jsonb_populate_recordset(null::public.order_items, _lines) as l;
  perform private.require_number('total', 'The total', total, 0, 99999999.99);
  if exists (
    select from public.order_items i left join jsonb_populate_recordset(null::public.order_items, _lines) as l on l.id = i.id
     where i.order_id = _order.id and coalesce(l.quantity, 0) < i.quantity and coalesce(l.quantity, 0) < private.codes_given(_order.id, i.sold_book_id)
  ) then
    perform private.refuse('PT409', 'codes_given', 'The customer already has licence codes of this order: these copies can''t be removed.');
  end if;
  if exists (
    select from public.order_items i left join jsonb_populate_recordset(null::public.order_items, _lines) as l on l.id = i.id
     where i.order_id = _order.id
       and coalesce(l.quantity, 0) < private.codes_given(_order.id, i.sold_book_id) + private.copies_returned(i.id)
       and private.copies_returned(i.id) > 0
  ) then
    perform private.refuse('PT409', 'copies_returned',
      'Some of these copies have been returned. Undo the return before you take them out of the order.');
  end if;
  select array_agg(d.id), array_agg(d.copies) into book_ids, quantities
    from (select m.id, sum(m.copies) as copies
            from (select i.sold_book_id, i.quantity from public.order_items i where i.order_id = _order.id
                  union all
                  select l.sold_book_id, -l.quantity from jsonb_populate_recordset(null::public.order_items, _lines) as l) as m (id, copies)
           group by m.id having sum(m.copies) <> 0) as d;
  -- Of an open order that holds none, all are returned or none ever were: in the first case it holds what is added.
  holds := _order.stock_held or exists (select from public.order_returns r where r.order_id = _order.id and r.undone_at is null);
  if book_ids is not null and holds then
    perform private.move_stock(book_ids, quantities, 'change', _order.id);
  end if;

  perform set_config('shop.task', 'change', true);
  delete from public.order_items i
   where i.order_id = _order.id
     and not exists (select from jsonb_populate_recordset(null::public.order_items, _lines) as l where l.id = i.id);
  update public.order_items i
     set quantity = l.quantity
    from jsonb_populate_recordset(null::public.order_items, _lines) as l
   where i.id = l.id and i.order_id = _order.id and i.quantity <> l.quantity;
  insert into public.order_items (id, order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn, kind)
  select coalesce(l.id, gen_random_uuid()), _order.id, b.id, l.sold_book_id, l.quantity, l.price, l.title, l.publisher, l.isbn,
         coalesce(l.kind, b.kind, case when g.digital_by is not null then 'digital' else 'book' end)
    from jsonb_populate_recordset(null::public.order_items, _lines) as l
    left join public.books b on b.id = l.sold_book_id
    left join private.gone_books g on g.id = l.sold_book_id
   where not exists (select from public.order_items i where i.id = l.id);
  update public.orders set total_amount = total, delivery_fee = _delivery_fee, stock_held = holds where id = _order.id;
  perform set_config('shop.task', '', true);
  perform private.settle_digital(_order.id);

  insert into public.audit_log (table_name, row_id, action, before, after)
  values ('orders', _order.id, 'change', before, private.changed_order_as_json(_order.id)) returning id into change_id;
  -- One that waits will say what the order is when it is sent; locked, so that none is sent before this is committed.
  perform from public.outgoing_emails e
   where e.order_id = _order.id and e.kind = 'order_changed' and e.state = 'waiting' and e.lease is null for update;
  if not found then
    perform private.queue_email('order_changed', format('%s:%s', _order.id, change_id), _order.id);
  end if;
end $$;
