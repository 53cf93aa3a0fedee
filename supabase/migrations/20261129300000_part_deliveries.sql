-- Copies of an open order that are sent before the rest, by line. They stay out of stock, can't be taken out of the order any more, and
-- cancelling the order doesn't return them. Once nothing is left to send, the order is shipped. Setting an order to shipped by hand means
-- that all that was left has gone, and records no shipment. A shipment is never changed, but it can be undone.

alter table public.audit_log drop constraint audit_log_action_is_known;
alter table public.audit_log add constraint audit_log_action_is_known
  check (action in ('insert', 'update', 'delete', 'restore', 'import', 'undo', 'merge', 'change', 'read', 'return', 'undo_return', 'ship', 'undo_ship'));
alter table public.order_returns drop constraint order_returns_reason_is_known;
alter table public.order_returns add constraint order_returns_reason_is_known check (reason = any (private.return_reasons() || '{unsent}'));

create table public.order_shipments (
  -- Chosen by the client, so that a retry sends nothing twice.
  id uuid primary key,
  order_id uuid not null references public.orders (id) on delete cascade,
  carrier text,
  parcel_number text,
  driver_phone text,
  -- The event of the order's history that this shipment wrote, because nothing was left to send.
  closing_event bigint,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  undone_at timestamptz,
  undone_by uuid,
  constraint order_shipments_texts_are_short check (length(carrier) <= 100 and length(parcel_number) <= 60 and length(driver_phone) <= 40)
);
create index order_shipments_by_order on public.order_shipments (order_id, created_at);

create table public.order_shipment_lines (
  shipment_id uuid not null references public.order_shipments (id) on delete cascade,
  -- No foreign key: once the shipment is undone, the line can be taken out of its order.
  order_item_id uuid not null,
  title text not null,
  copies integer not null,
  primary key (shipment_id, order_item_id),
  constraint order_shipment_lines_copies_are_positive check (copies > 0)
);
create index order_shipment_lines_by_item on public.order_shipment_lines (order_item_id);

alter table public.order_shipments enable row level security;
alter table public.order_shipment_lines enable row level security;
grant select on public.order_shipments to authenticated, service_role;
grant select on public.order_shipment_lines to authenticated, service_role;

create policy "staff read the shipments of orders" on public.order_shipments
  for select to authenticated using ((select private.has_duty('orders')));
create policy "staff read the lines of shipments" on public.order_shipment_lines
  for select to authenticated using ((select private.has_duty('orders')));

/* The copies of an order's line that are sent as a part of it. */
create function private.copies_sent(_order_item_id uuid)
returns int language sql stable security definer set search_path = '' as $$
  select coalesce(sum(l.copies), 0)::int
    from public.order_shipment_lines l join public.order_shipments s on s.id = l.shipment_id
   where l.order_item_id = _order_item_id and s.undone_at is null
$$;

/* Whether copies of an order are sent as a part of it. */
create function private.is_part_sent(_order_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.order_shipments s where s.order_id = _order_id and s.undone_at is null)
$$;

/*
 * The copies of an open order that are left to send: none of digital titles, and none that have been sent or returned. What is returned of a
 * line has been sent before.
 */
create function private.copies_to_send(_order_id uuid)
returns table (order_item_id uuid, title text, copies int) language sql stable security definer set search_path = '' as $$
  select i.id, i.title, i.quantity - greatest(private.copies_sent(i.id), private.copies_returned(i.id))
    from public.orders o join public.order_items i on i.order_id = o.id
   where o.id = _order_id and private.is_open(o.status) and i.kind <> 'digital'
     and i.quantity > greatest(private.copies_sent(i.id), private.copies_returned(i.id))
$$;

/* Customers: the copies that are left to send of up to 200 of their own orders; staff: of any orders. None of orders that aren't open. */
create function private.list_copies_to_send(_order_ids uuid[])
returns table (order_id uuid, order_item_id uuid, title text, copies int) language sql stable security definer set search_path = '' as $$
  select o.id, c.order_item_id, c.title, c.copies
    from public.orders o cross join private.copies_to_send(o.id) as c
   where o.id = any (_order_ids[:200]) and (o.user_id = auth.uid() or private.has_duty('orders'))
   order by o.id, private.fold(c.title), c.order_item_id
$$;
select private.expose('list_copies_to_send', 'authenticated', 'service_role');

/* What a shipment holds: [{"order_item_id", "title", "copies"}], by title. */
create function private.shipment_lines_as_json(_shipment_id uuid)
returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('order_item_id', l.order_item_id, 'title', l.title, 'copies', l.copies)
                            order by private.fold(l.title), l.order_item_id), '[]')
    from public.order_shipment_lines l where l.shipment_id = _shipment_id
$$;

/*
 * Customers: the shipments of one of their own orders, without undone ones, oldest first, and what each holds (shipment_lines_as_json);
 * staff: of any order. Does not name who sent it, which only staff see (order_shipments).
 */
create function private.list_shipments(_order_id uuid)
returns table (id uuid, sent_at timestamptz, carrier text, parcel_number text, driver_phone text, lines jsonb)
language sql stable security definer set search_path = '' as $$
  select s.id, s.created_at, s.carrier, s.parcel_number, s.driver_phone, private.shipment_lines_as_json(s.id)
    from public.orders o join public.order_shipments s on s.order_id = o.id
   where o.id = _order_id and s.undone_at is null and (o.user_id = auth.uid() or private.has_duty('orders'))
   order by s.created_at, s.id
$$;
select private.expose('list_shipments', 'authenticated', 'service_role');

/* Writes a shipment, or that it was undone, into the log, as one row about its order. */
create function private.log_shipment(_shipment_id uuid, _action text)
returns void language sql volatile security definer set search_path = '' as $$
  insert into public.audit_log (table_name, row_id, action, after)
  select 'orders', o.id, _action, jsonb_build_object(
           'number', o.number, 'carrier', s.carrier, 'parcel_number', s.parcel_number, 'driver_phone', s.driver_phone,
           'lines', (select jsonb_agg(jsonb_build_object('title', l ->> 'title', 'quantity', l -> 'copies'))
                       from jsonb_array_elements(private.shipment_lines_as_json(s.id)) as l))
    from public.order_shipments s join public.orders o on o.id = s.order_id
   where s.id = _shipment_id
$$;

/* The emails about a shipment after which copies are left to send. They wait as those about a status do, so that undoing it stops them. */
create function private.queue_shipment_emails(_shipment_id uuid, _order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_emails('{order_part_shipped,recipient_order_part_shipped}', _shipment_id::text, _order_id,
                               _seconds => private.status_email_seconds());
end $$;

/*
 * Staff: sends copies of a pending or processing order, once per _shipment_id: [{order_item_id, copies, left}], left what could still be
 * sent when staff looked; _shipment as in set_order_statuses. The order is shipped once nothing is left to send: returns whether that is so.
 */
create function private.ship_copies(_shipment_id uuid, _order_id uuid, _lines jsonb, _shipment jsonb default null)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := case when jsonb_typeof(_lines) = 'array' then jsonb_array_length(_lines) else 0 end;
  texts jsonb;
  of_order public.orders;
  known public.order_shipments;
  line record;
  unchanged text;
begin
  perform private.require_duty('orders');
  if titles not between 1 and 1000
     or (select count(distinct l.order_item_id) from jsonb_to_recordset(_lines) as l (order_item_id uuid)) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 1,000 different lines of the order, with the copies of each.');
  end if;
  texts := private.read_shipment(case when jsonb_typeof(_shipment) = 'object' then _shipment else '{}' end);
  of_order := private.lock_order_with_stock(_order_id);
  select * into known from public.order_shipments s where s.id = _shipment_id;
  if found then
    if known.order_id <> _order_id or known.undone_at is not null or not to_jsonb(known) @> texts or exists (
      select from (select l.order_item_id, l.copies from public.order_shipment_lines l where l.shipment_id = known.id) as stored
        full join jsonb_to_recordset(_lines) as l (order_item_id uuid, copies int) using (order_item_id)
       where stored.copies is distinct from l.copies
    ) then
      perform private.refuse('PT409', 'shipment_exists',
        'This shipment was already recorded, before your last changes. You''ll find it in the order''s history.');
    end if;
    return known.closing_event is not null;
  end if;
  if not private.is_open(of_order.status) then
    perform private.refuse('PT409', 'order_not_open',
      format('Only pending and processing orders have copies to send. This one is %s.', of_order.status));
  end if;
  insert into public.order_shipments (id, order_id, carrier, parcel_number, driver_phone)
  values (coalesce(_shipment_id, gen_random_uuid()), _order_id, texts ->> 'carrier', texts ->> 'parcel_number', texts ->> 'driver_phone')
  returning * into known;
  for line in
    select l.order_item_id, l.copies, l."left" as seen, i.title, coalesce(c.copies, 0) as most
      from jsonb_to_recordset(_lines) as l (order_item_id uuid, copies int, "left" int)
      left join public.order_items i on i.id = l.order_item_id and i.order_id = _order_id
      left join private.copies_to_send(_order_id) as c on c.order_item_id = i.id
  loop
    if line.title is null then
      perform private.refuse('PT404', 'line_not_found', 'A line of this order no longer exists. Check the order again.');
    end if;
    perform private.require_number('copies', 'The number of copies', line.copies, 1, 9999);
    if line.seen <> line.most then
      perform private.refuse('PT409', 'shipment_outdated',
        format('What is left to send of %s has changed since you opened this form. Check the order''s history first.', line.title));
    end if;
    if line.copies > line.most then
      perform private.refuse('PT409', 'more_than_left', case line.most
          when 0 then format('No copies of %s are left to send.', line.title)
          when 1 then format('%s: only 1 copy is left to send.', line.title)
          else format('%s: only %s copies are left to send.', line.title, line.most) end,
        jsonb_build_object('order_item_id', line.order_item_id, 'title', line.title, 'most', line.most));
    end if;
    insert into public.order_shipment_lines (shipment_id, order_item_id, title, copies)
    values (known.id, line.order_item_id, line.title, line.copies);
  end loop;
  perform private.log_shipment(known.id, 'ship');
  if exists (select from private.copies_to_send(_order_id)) then
    perform private.queue_shipment_emails(known.id, _order_id);
    return false;
  end if;
  select w.problem into unchanged
    from private.write_order_statuses(array[_order_id], array[of_order.status], 'shipped', texts) as w;
  if unchanged is not null then
    perform private.refuse('PT409', 'order_changed', unchanged);
  end if;
  update public.order_shipments
     set closing_event = (select max(e.id) from public.order_events e where e.order_id = _order_id) where id = known.id;
  return true;
end $$;
select private.expose('ship_copies', 'authenticated', 'service_role');

/*
 * Staff: undoes a shipment. An order that became shipped by its shipments, and still is, goes back to its former status. An email that has
 * not left falls away. Repeating it changes nothing.
 */
create function private.undo_shipment(_shipment_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  closing record;
  unchanged text;
begin
  perform private.require_duty('orders');
  perform private.lock_stock(true);
  select o.* into of_order from public.orders o
   where o.id = (select s.order_id from public.order_shipments s where s.id = _shipment_id) for no key update;
  if not found then
    perform private.refuse('PT404', 'shipment_not_found', 'This shipment no longer exists.');
  end if;
  if exists (select from public.order_shipments s where s.id = _shipment_id and s.undone_at is not null) then return; end if;
  -- Cancelling has returned the copies that were not sent: these would be in neither place.
  if of_order.status = 'cancelled' then
    perform private.refuse('PT409', 'order_cancelled', 'This order is cancelled. Reopen it before you undo the shipment.');
  end if;
  select s.id, e.from_status into closing
    from public.order_shipments s join public.order_events e on e.id = s.closing_event
   where s.order_id = of_order.id and s.undone_at is null and of_order.status = 'shipped'
     and e.id = (select max(v.id) from public.order_events v where v.order_id = of_order.id);
  update public.order_shipments set undone_at = clock_timestamp(), undone_by = auth.uid() where id = _shipment_id;
  -- A worker that is taking one now has it, and its customer is told; the lock waits for that.
  perform from public.outgoing_emails where order_id = of_order.id and event = _shipment_id::text and state = 'waiting' for update;
  delete from public.outgoing_emails
   where order_id = of_order.id and event = _shipment_id::text and state = 'waiting' and attempts = 0;
  perform private.log_shipment(_shipment_id, 'undo_ship');
  if closing.id is null then return; end if;
  select w.problem into unchanged
    from private.set_back_statuses(array[of_order.id], '{shipped}', array[closing.from_status]) as w;
  if unchanged is not null then
    perform private.refuse('PT409', 'order_changed', unchanged);
  end if;
  -- The email about the status spoke for the shipment that stays.
  if closing.id <> _shipment_id then
    perform private.queue_shipment_emails(closing.id, of_order.id);
  end if;
end $$;
select private.expose('undo_shipment', 'authenticated', 'service_role');

/*
 * Returns the copies of a part-sent order that is being cancelled, except those that were sent, as a return that reopening undoes
 * (take_reopened_copies). Returns whether copies are still out of stock.
 */
create function private.return_unsent_copies(_order_id uuid)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  unsent constant uuid := gen_random_uuid();
  book_ids uuid[];
  quantities int[];
begin
  insert into public.order_returns (id, order_id, reason, of_cancelled) values (unsent, _order_id, 'unsent', true);
  insert into public.order_return_lines (return_id, order_item_id, book_id, title, copies, resalable, refund)
  select unsent, c.order_item_id, c.book_id, c.title, c.copies - greatest(private.copies_sent(c.order_item_id) - private.copies_returned(c.order_item_id), 0), true, 0
    from private.copies_to_return(_order_id) as c
   where c.copies > greatest(private.copies_sent(c.order_item_id) - private.copies_returned(c.order_item_id), 0);
  select array_agg(l.book_id), array_agg(l.copies) into book_ids, quantities
    from public.order_return_lines l where l.return_id = unsent and l.book_id is not null;
  if book_ids is not null then
    perform private.move_stock(book_ids, quantities, 'cancel', _order_id);
  end if;
  delete from public.order_returns r
   where r.id = unsent and not exists (select from public.order_return_lines l where l.return_id = unsent);
  return exists (select from private.copies_to_return(_order_id));
end $$;

/* An order of which copies were sent can't be deleted: they would be in no record. */
create function private.keep_sent_order(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if private.is_part_sent(_order_id) then
    perform private.refuse('PT409', 'order_has_shipments', 'Copies of this order have been sent, so it can''t be deleted. Undo the shipment first.');
  end if;
end $$;

/* Staff: undoes a return. Its copies are taken out of stock again; refused with the titles that have too few. Repeating it changes nothing. */
create or replace function private.undo_return(_return_id uuid)
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
  if exists (select from public.order_returns r where r.id = _return_id and r.reason = 'unsent') then
    perform private.refuse('PT409', 'order_cancelled', 'These copies came back because the order was cancelled. Reopen it to take them again.');
  end if;
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

/*
 * Takes the copies of an order that is being reopened: those that its cancellation returned, and with them the returns that were recorded
 * while it was cancelled, or all of them if nothing else would be left to send. Copies that were written off are taken anew.
 */
create or replace function private.take_reopened_copies(_order public.orders)
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
  -- They were sent, and would be to send again: no shipment says so.
  if private.is_part_sent(_order.id) and exists (select from public.order_returns r where r.id = any (undone) and r.reason <> 'unsent') then
    perform private.refuse('PT409', 'sent_copies_returned',
      'Copies of this order came back after they had been sent. Undo the return, then reopen the order.');
  end if;
  update public.order_returns set undone_at = clock_timestamp(), undone_by = auth.uid() where id = any (undone);
  perform private.log_return(r.id, 'undo_return') from public.order_returns r where r.id = any (undone) and r.reason <> 'unsent';
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

/* As step_back, for this order: one that is sent in part is cancelled as one that is sent. */
create function private.step_back_of(_order public.orders, _to text)
returns text language sql stable set search_path = '' as $$
  select case when _to = 'cancelled' and private.is_open(_order.status) and private.is_part_sent(_order.id) then 'cancel_sent'
              else private.step_back(_order.status, _to, _order.paid_amount) end
$$;

/* Why an order was left out, as a sentence for staff. */
create or replace function private.word_step_back(_step text, _status text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case _step
    when 'reopen' then 'It is cancelled and was not reopened.'
    when 'cancel_paid' then 'It has been paid and was not cancelled.'
    when 'cancel_sent' then format('It is already %s and was not cancelled.', case when private.is_open(_status) then 'sent in part' else _status end)
    when 'set_back' then format('It is already %s and was not moved back.', _status) end
$$;

/* What set_order_statuses does, for callers that have asked for the duty. */
create or replace function private.write_order_statuses(
  _order_ids uuid[], _shown text[], _status text, _shipment jsonb default null, _steps_back text[] default '{}')
returns table (order_id uuid, number bigint, problem text)
language plpgsql security definer set search_path = '' as $$
declare
  orders constant int := coalesce(array_length(_order_ids, 1), 0);
  shipment jsonb := '{}';
  step text;
  current public.orders;
  changed public.orders;
begin
  if orders not between 1 and 200 or array_length(_shown, 1) is distinct from orders then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 200 orders, with the status that was shown for each.');
  end if;
  if _status = 'shipped' and jsonb_typeof(_shipment) = 'object' then shipment := private.read_shipment(_shipment); end if;
  perform private.lock_stock(true);
  for place in 1 .. orders loop
    -- Each failure is rolled back on its own.
    begin
      order_id := _order_ids[place];
      problem := null;
      select * into current from public.orders where id = order_id for no key update;
      step := private.step_back_of(current, _status);
      changed := jsonb_populate_record(current, shipment || jsonb_build_object('status', _status));
      if current.id is null then
        problem := 'It no longer exists.';
      elsif current.status is distinct from _shown[place] and current.status is distinct from _status then
        problem := format('It is now %s. Check it before you change its status.', current.status);
      elsif orders > 1 and step is not null and step <> all (coalesce(_steps_back, '{}')) then
        problem := private.word_step_back(step, current.status);
      elsif current.status = 'shipped' and _shown[place] is distinct from 'shipped' and changed is distinct from current then
        problem := 'It has been shipped already, with other details. Check them before you change them.';
      elsif changed is distinct from current then
        update public.orders
           set status = _status, carrier = changed.carrier, parcel_number = changed.parcel_number, driver_phone = changed.driver_phone
         where id = current.id;
        if current.status = _status then
          -- One that still waits will say so; a worker that is taking one now has it.
          perform from public.outgoing_emails w where w.order_id = current.id and w.state = 'waiting' for update;
          perform private.queue_emails(
            array(select k.kind from unnest('{order_status_changed,recipient_order_shipped}'::text[]) as k (kind)
                   where not exists (select from public.outgoing_emails e
                                      where e.order_id = current.id and e.kind = k.kind and e.from_status is not null
                                        and e.state = 'waiting' and e.attempts = 0)),
            format('%s:%s', current.id, clock_timestamp()), current.id, _status);
        end if;
      end if;
    exception when sqlstate 'PT409' then
      problem := sqlerrm;
    end;
    number := current.number;
    return next;
  end loop;
end $$;

/*
 * Staff: what set_order_statuses would do, tried out and rolled back. One row an order, as there, with its status now, the step back that
 * it would be, the emails to its customer and recipient, the copies that it would return to stock (negative: take from it), and what the
 * customer would be owed back beyond what they are already, in cedis.
 */
create or replace function private.try_order_statuses(_order_ids uuid[], _shown text[], _status text, _steps_back text[] default '{}')
returns table (order_id uuid, number bigint, status text, step text, problem text, emails int, copies int, owed_back numeric)
language plpgsql security definer set search_path = '' as $$
declare
  begun timestamptz;
  before jsonb;
  outcomes jsonb;
begin
  perform private.require_duty('orders');
  perform private.lock_stock(true);
  begun := clock_timestamp();
  begin
    select jsonb_object_agg(o.id, jsonb_build_object(
             'status', o.status, 'step', private.step_back_of(o, _status), 'owed_back', o.owed_back))
      into before from public.orders o where o.id = any (_order_ids);
    select jsonb_agg(to_jsonb(o) || coalesce(before -> o.order_id::text, '{}')) into outcomes
      from private.write_order_statuses(_order_ids, _shown, _status, null, _steps_back) as o;
    select jsonb_agg(one || jsonb_build_object(
             'emails', (select count(*) from public.outgoing_emails e
                         where e.order_id = (one ->> 'order_id')::uuid and e.created_at >= begun
                           and private.email_audience(e.kind) <> 'owner'),
             'copies', (select coalesce(sum(m.quantity), 0) from public.stock_movements m
                         where m.order_id = (one ->> 'order_id')::uuid and m.created_at >= begun),
             'owed_back', (select o.owed_back - (one ->> 'owed_back')::numeric from public.orders o
                            where o.id = (one ->> 'order_id')::uuid)))
      into outcomes from jsonb_array_elements(outcomes) as one;
    raise exception using errcode = 'ZZ000';
  exception when sqlstate 'ZZ000' then null;
  end;
  return query select * from jsonb_to_recordset(outcomes)
    as o(order_id uuid, number bigint, status text, step text, problem text, emails int, copies int, owed_back numeric);
end $$;

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
    perform private.keep_sent_order(old.id);
    perform private.keep_returned_order(old.id);
    perform private.return_deleted_order(old);
    -- While its lines are there.
    perform private.count_order(old, -1);
    return old;
  end if;
end $$;

/* A client's own statement takes nothing back of several orders; set_order_statuses does so where it is chosen. */
create or replace function private.refuse_steps_back()
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
    if private.is_part_sent(_new.id) then
      _new.stock_held := private.return_unsent_copies(_new.id);
    else
      perform private.move_order_stock(_new.id, 1, 'cancel');
      _new.stock_held := false;
    end if;
  elsif moved = -1 then
    perform private.take_reopened_copies(_old);
    _new.stock_held := true;
    _new.returned_amount := private.sum_returns(_new.id);
  end if;
  return _new;
end $$;

/*
 * Customers: the steps of one of their own orders, oldest first, each with its time: 'placed', 'paid' (in full, for the first time),
 * 'refunded', 'returned' or 'part_shipped' (some copies) or a status; staff: of any order. Corrected payments are left out. Does not name who made the change, which only staff
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
  select 'returned', r.created_at from mine join public.order_returns r on r.order_id = mine.id and r.undone_at is null and r.reason <> 'unsent'
  union all
  select 'part_shipped', s.created_at from mine join public.order_shipments s on s.order_id = mine.id and s.undone_at is null and s.closing_event is null
   order by 2, 1
$$;

/* Staff: the names of those who changed the status of this order, wrote about it, sent or returned copies, their email if they have no name. */
create or replace function private.list_order_actors(_order_id uuid)
returns table (id uuid, name text) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query
    select p.id, coalesce(p.full_name, p.email) from public.profiles p
     where p.id in (select e.actor from public.order_events e where e.order_id = _order_id
                    union select n.actor from public.order_notes n where n.order_id = _order_id
                    union select unnest(array[r.actor, r.undone_by]) from public.order_returns r where r.order_id = _order_id
                    union select unnest(array[s.actor, s.undone_by]) from public.order_shipments s where s.order_id = _order_id);
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
  if exists (
    select from public.order_items i left join jsonb_populate_recordset(null::public.order_items, _lines) as l on l.id = i.id
     where i.order_id = _order.id and coalesce(l.quantity, 0) < private.copies_sent(i.id)
  ) then
    perform private.refuse('PT409', 'copies_sent',
      'Some of these copies have been sent. Undo the shipment before you take them out of the order.');
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
  update public.order_shipments set carrier = null, parcel_number = null, driver_phone = null where order_id = any (_order_ids);
  perform set_config('shop.task', 'anonymise', true);
  update public.order_notes set body = null where order_id = any (_order_ids);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where (table_name = 'orders' and row_id = any (_order_ids::text[]))
      or (table_name = 'payments' and coalesce(after, before) ->> 'order_id' = any (_order_ids::text[]));
  perform set_config('shop.task', '', true);
  return kept;
end $$;

/* Customers: everything that the shop holds about them, as one JSON object; amounts in cedis. */
create or replace function private.own_data()
returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'profile', (select to_jsonb(p) - 'search_text' from public.profiles p where p.id = auth.uid()),
    'orders', (
      select coalesce(jsonb_agg(
               to_jsonb(o) - '{user_id,stock_held,search_text}'::text[] || jsonb_build_object('items', (
                 select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'isbn', i.isbn,
                                                     'quantity', i.quantity, 'price', i.price) order by i.title)
                   from public.order_items i where i.order_id = o.id), 'shipments', (
                 select coalesce(jsonb_agg(to_jsonb(s) - 'id' order by s.sent_at), '[]') from private.list_shipments(o.id) as s)
               ) order by o.created_at), '[]')
        from public.orders o where o.user_id = auth.uid()),
    'payments', (
      select coalesce(jsonb_agg(jsonb_build_object('order_id', p.order_id, 'kind', p.kind, 'method', p.method, 'amount', p.amount,
                                                   'reference', p.reference, 'state', p.state, 'paid_on', p.paid_on, 'note', p.note,
                                                   'created_at', p.created_at) order by p.created_at), '[]')
        from public.payments p where p.user_id = auth.uid()),
    'quotes', (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.created_at), '[]')
        from public.quotes q, private.find_own_quote(q.id) as f where q.user_id = auth.uid()),
    'consultations', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.created_at), '[]') from private.list_own_consultations(null) as c),
    'reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'rating', r.rating, 'review', r.review_text,
                                                   'created_at', r.created_at) order by r.created_at), '[]')
        from public.reviews r join public.books b on b.id = r.book_id where r.user_id = auth.uid()),
    'cart', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'quantity', c.quantity, 'created_at', c.created_at)
                                order by c.created_at), '[]')
        from public.cart_items c join public.books b on b.id = c.book_id where c.user_id = auth.uid()),
    'wishlist', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'created_at', w.created_at) order by w.created_at), '[]')
        from public.wishlists w join public.books b on b.id = w.book_id where w.user_id = auth.uid()),
    'stock_alerts', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'created_at', a.created_at) order by a.created_at), '[]')
        from public.stock_alerts a join public.books b on b.id = a.book_id where a.user_id = auth.uid()),
    'events', private.own_event_data());
end $$;

/*
 * The one list of the kinds of emails: who gets them, 'customer', 'recipient' (of someone else's order), 'supplier' or 'owner', and what their text is
 * read from when they are sent. A new kind is a new line here and in shared/shop/email-kinds.ts, which has its name and leads to its text.
 */
create or replace function private.email_kinds()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "order_placed": {"audience": "customer", "topic": "order"},
    "order_status_changed": {"audience": "customer", "topic": "order"},
    "order_part_shipped": {"audience": "customer", "topic": "shipment"},
    "order_changed": {"audience": "customer", "topic": "order"},
    "order_cancelled": {"audience": "customer", "topic": "order"},
    "downloads_ready": {"audience": "customer", "topic": "order"},
    "order_paid": {"audience": "customer", "topic": "payment"},
    "order_refunded": {"audience": "customer", "topic": "payment"},
    "quote_sent": {"audience": "customer", "topic": "quote"},
    "back_in_stock": {"audience": "customer", "topic": "alert"},
    "event_registered": {"audience": "customer", "topic": "registration"},
    "event_place": {"audience": "customer", "topic": "registration"},
    "event_changed": {"audience": "customer", "topic": "registration"},
    "event_cancelled": {"audience": "customer", "topic": "registration"},
    "event_subscription": {"audience": "customer", "topic": "subscription"},
    "event_published": {"audience": "customer", "topic": "subscription"},
    "purchase_order_sent": {"audience": "supplier", "topic": "purchase"},
    "consultation_received": {"audience": "customer", "topic": "consultation"},
    "consultation_answered": {"audience": "customer", "topic": "consultation"},
    "consultation_dated": {"audience": "customer", "topic": "consultation"},
    "consultation_cancelled": {"audience": "customer", "topic": "consultation"},
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_part_shipped": {"audience": "recipient", "topic": "shipment"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
    "consultation_requested": {"audience": "owner", "topic": "consultation"},
    "low_stock": {"audience": "owner", "topic": "stock"},
    "own_role_changed": {"audience": "customer", "topic": "role"},
    "role_changed": {"audience": "customer", "topic": "role"}
  }'::jsonb
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
    'part_sent', private.is_part_sent(o.id), 'carrier', o.carrier, 'parcel_number', o.parcel_number, 'driver_phone', o.driver_phone,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'quantity', i.quantity, 'price', i.price)
                       order by private.fold(i.title), i.id)
        from public.order_items i where i.order_id = o.id), '[]'))
    from public.orders o left join public.profiles p on p.id = o.user_id
   where o.id = _order_id
$$;

/* What an email about a part of an order says of it; null for any other email, and when it was undone. */
create function private.email_shipment(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
           'carrier', s.carrier, 'parcel_number', s.parcel_number, 'driver_phone', s.driver_phone,
           'lines', private.shipment_lines_as_json(s.id),
           'left', (select coalesce(jsonb_agg(jsonb_build_object('title', c.title, 'copies', c.copies)
                                              order by private.fold(c.title), c.order_item_id), '[]')
                      from private.copies_to_send(s.order_id) as c))
    from public.order_shipments s
   where private.email_topic(_email.kind) = 'shipment' and s.undone_at is null and s.id = private.as_uuid(private.email_event(_email))
$$;

/*
 * Whether an email would be out of date: the books are there again, the shipment was undone, the quote or purchase order is another by now, a changed order is cancelled, or a customer
 * no longer waits for a book or it is sold out again, what an email about an event says is no longer so, or an account is closed.
 */
create or replace function private.has_nothing_to_say(_email public.outgoing_emails)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return case private.email_topic(_email.kind)
    when 'stock' then private.email_stock() is null
    when 'quote' then private.email_quote(_email) is null
    when 'shipment' then private.email_shipment(_email) is null
    when 'alert' then private.email_stock_alert(_email) is null
    when 'registration' then private.email_registration(_email) is null
    when 'subscription' then private.email_subscription(_email) is null
    when 'purchase' then private.email_purchase(_email) is null
    when 'consultation' then private.email_consultation(_email) is null
    when 'role' then private.email_role(_email) is null
    -- Another email says that it is.
    when 'order' then case _email.kind
      when 'order_changed' then _email.resend_of is null
        and exists (select from public.orders o where o.id = _email.order_id and o.status = 'cancelled')
      when 'downloads_ready' then not exists (
        select from public.orders o where o.id = _email.order_id and private.has_order_access(o))
      -- Of a status: one that could not be sent at first, and a later email says another status.
      else _email.attempts > 0 and _email.resend_of is null and _email.status is not null and exists (
        select from public.outgoing_emails later
         where later.order_id = _email.order_id and later.created_at > _email.created_at and later.status <> _email.status
           and later.kind in ('order_status_changed', 'order_cancelled') and later.state in ('waiting', 'sent')) end
    else false
  end;
end $$;

/*
 * The worker: the next email to send, as JSON, leased for 5 minutes. Null when none is due, or when the first 200 were out of date: ten
 * thousand customers may wait for a book that is sold out again, and one transaction for all of them would reach its timeout.
 */
create or replace function private.claim_email()
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  email public.outgoing_emails;
  of_order jsonb;
  of_quote jsonb;
  of_alert jsonb;
  of_consultation jsonb;
  of_registration jsonb;
  of_subscription jsonb;
  of_purchase jsonb;
  of_role jsonb;
  of_shipment jsonb;
  stock jsonb;
  problem text;
  late constant interval := interval '3 days';
begin
  perform private.give_up_old_emails(late);
  for looked in 1 .. 200 loop
    select * into email from public.outgoing_emails
     where state = 'waiting' and created_at >= clock_timestamp() - late
       -- No pause is that long: a clock that was ahead has written it, and the row would wait until then.
       and (due_at <= clock_timestamp() or due_at > clock_timestamp() + interval '2 hours')
     -- An order's email passes those to many at once, about books that are back and about events, however many are late because the mail server is slow.
     order by kind in ('back_in_stock', 'event_published', 'event_changed', 'event_cancelled'), due_at, created_at limit 1
       for update skip locked;
    if not found then return null; end if;
    if private.email_audience(email.kind) = 'recipient' then
      -- One at a time, so that workers don't send two last ones at once.
      perform pg_advisory_xact_lock(hashtextextended('copies for recipients', 47));
      update public.outgoing_emails set mailbox = null
       where mailbox is not null and state <> 'waiting' and coalesce(settled_at, created_at) <= clock_timestamp() - interval '1 day';
    end if;
    of_order := private.email_order(email.order_id);
    stock := case when private.email_topic(email.kind) = 'stock' then private.email_stock() end;
    of_quote := private.email_quote(email);
    of_alert := private.email_stock_alert(email);
    of_consultation := private.email_consultation(email);
    of_registration := private.email_registration(email);
    of_subscription := private.email_subscription(email);
    of_purchase := private.email_purchase(email);
    of_role := private.email_role(email);
    of_shipment := private.email_shipment(email);
    problem := private.email_problem(email, coalesce(of_order, of_quote, of_purchase));
    if problem is not null then
      update public.outgoing_emails
         set state = 'given_up', reason = btrim(problem), lease = null, settled_at = clock_timestamp()
       where id = email.id;
    elsif private.has_nothing_to_say(email) or private.is_copy_too_many(email) then
      delete from public.outgoing_emails where id = email.id;
    else
      update public.outgoing_emails
         set lease = gen_random_uuid(), attempts = attempts + 1, due_at = clock_timestamp() + private.email_lease()
       where id = email.id
      returning * into email;
      return jsonb_build_object(
        'id', email.id, 'lease', email.lease, 'kind', email.kind, 'status', email.status, 'created_at', email.created_at,
        'audience', private.email_audience(email.kind), 'order', of_order, 'stock', stock,
        'payment', private.email_payment(email), 'consultation', of_consultation, 'alert', of_alert,
        -- Null for other emails. Each attempt has a link of its own: only its hash is stored.
        'quote', of_quote || jsonb_build_object('token', private.new_quote_link((of_quote ->> 'id')::uuid)),
        'registration', of_registration || jsonb_build_object('token', private.new_event_link('registration', (of_registration ->> 'id')::uuid)),
        'subscription', of_subscription || jsonb_build_object('token', private.new_event_link('subscription', (of_subscription ->> 'id')::uuid)),
        'purchase', of_purchase, 'role', of_role, 'shipment', of_shipment);
    end if;
  end loop;
  return null;
end $$;
