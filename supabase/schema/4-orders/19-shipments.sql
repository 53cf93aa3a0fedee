-- Copies of an open order that are sent before the rest, by line. They stay out of stock, can't be taken out of the order any more, and
-- cancelling the order doesn't return them. Once nothing is left to send, the order is shipped. Setting an order to shipped by hand means
-- that all that was left has gone, and records no shipment. A shipment can be undone; the one that made its order shipped is undone with
-- that status.

create table public.order_shipments (
  -- Chosen by the client, so that a retry sends nothing twice.
  id uuid primary key,
  order_id uuid not null references public.orders (id) on delete cascade,
  carrier text,
  parcel_number text,
  driver_phone text,
  -- The event of the order's history that this shipment wrote, because nothing was left to send; null once an earlier one is undone.
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

/* Whether copies of an order left before the last ones. Of a cancelled order, any that left did so before those that never will. */
create function private.has_earlier_parcel(_order_id uuid, _status text)
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.order_shipments s
                  where s.order_id = _order_id and s.undone_at is null and (s.closing_event is null or _status = 'cancelled'))
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

/* Customers: which of up to 200 of their own open orders are sent in part; staff: of any orders. */
create function private.list_part_sent(_order_ids uuid[])
returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(o.id order by o.id), '{}')
    from public.orders o
   where o.id = any (_order_ids[:200]) and private.is_open(o.status) and private.is_part_sent(o.id)
     and (o.user_id = auth.uid() or private.has_duty('orders'))
$$;
select private.expose('list_part_sent', 'authenticated', 'service_role');

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
 * Whoever was told of a shipment is told that it was undone, after the same wait; returns when the customer was told of it. The kinds are
 * those of queue_shipment_emails.
 */
create function private.queue_undone_shipment_emails(_shipment_id uuid, _order_id uuid)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  kind text;
begin
  foreach kind in array '{order_part,recipient_order_part}'::text[] loop
    if private.told_at(kind || '_shipped', _shipment_id::text) is not null then
      perform private.queue_emails(array[kind || '_undone'], _shipment_id::text, _order_id, _seconds => private.status_email_seconds());
    end if;
  end loop;
  return private.told_at('order_part_shipped', _shipment_id::text);
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
 * not left falls away; one that has left is corrected by another. Returns when the customer was told of it; null if they were not, and of a
 * repetition, which changes nothing.
 */
create function private.undo_shipment(_shipment_id uuid)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  closing record;
  told timestamptz;
  unchanged text;
begin
  perform private.require_duty('orders');
  perform private.lock_stock(true);
  select o.* into of_order from public.orders o
   where o.id = (select s.order_id from public.order_shipments s where s.id = _shipment_id) for no key update;
  if not found then
    perform private.refuse('PT404', 'shipment_not_found', 'This shipment no longer exists.');
  end if;
  if exists (select from public.order_shipments s where s.id = _shipment_id and s.undone_at is not null) then return null; end if;
  -- Cancelling has returned the copies that were not sent: these would be in neither place.
  if of_order.status = 'cancelled' then
    perform private.refuse('PT409', 'order_cancelled', 'This order is cancelled. Reopen it before you undo the shipment.');
  end if;
  select s.id, e.from_status, e.id as event into closing
    from public.order_shipments s join public.order_events e on e.id = s.closing_event
   where s.order_id = of_order.id and s.undone_at is null and of_order.status = 'shipped'
     and e.id = (select max(v.id) from public.order_events v where v.order_id = of_order.id);
  update public.order_shipments set undone_at = clock_timestamp(), undone_by = auth.uid() where id = _shipment_id;
  -- A worker that is taking one now has it, and its customer is told; the lock waits for that.
  perform from public.outgoing_emails where order_id = of_order.id and event = _shipment_id::text and state = 'waiting' for update;
  delete from public.outgoing_emails
   where order_id = of_order.id and event = _shipment_id::text and state = 'waiting' and attempts = 0;
  perform private.log_shipment(_shipment_id, 'undo_ship');
  told := private.queue_undone_shipment_emails(_shipment_id, of_order.id);
  if closing.id is null then return told; end if;
  -- What corrects this one is the email about the former status.
  if closing.id = _shipment_id then told := private.told_at('order_status_changed', closing.event::text); end if;
  -- Otherwise it would be undone with the status (undo_closing_shipment).
  update public.order_shipments set closing_event = null where id = closing.id and id <> _shipment_id;
  select w.problem into unchanged
    from private.set_back_statuses(array[of_order.id], '{shipped}', array[closing.from_status]) as w;
  if unchanged is not null then
    perform private.refuse('PT409', 'order_changed', unchanged);
  end if;
  -- The email about the status spoke for the shipment that stays.
  if closing.id <> _shipment_id then
    perform private.queue_shipment_emails(closing.id, of_order.id);
  end if;
  return told;
end $$;
select private.expose('undo_shipment', 'authenticated', 'service_role');

/* Undoes the shipment that made an order shipped: the order is open again, and would have nothing to send. */
create function private.undo_closing_shipment(_order_id uuid)
returns void language sql volatile security definer set search_path = '' as $$
  with undone as (
    update public.order_shipments set undone_at = clock_timestamp(), undone_by = auth.uid()
     where order_id = _order_id and undone_at is null and closing_event is not null
    returning id)
  select private.log_shipment(undone.id, 'undo_ship') from undone
$$;

/*
 * Stands the shipment again that was undone when an order that is open became so (undo_closing_shipment, undo_shipment): that is being
 * undone itself. Not if fewer copies are left to send by now.
 */
create function private.redo_closing_shipment(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  again uuid;
begin
  select s.id into again from public.order_shipments s
   where s.order_id = _order_id and s.closing_event is not null and s.undone_at > (
     select coalesce(max(e.created_at), '-infinity') from public.order_events e where e.order_id = _order_id and e.id < (
       select max(v.id) from public.order_events v where v.order_id = _order_id))
     and not exists (
       select from public.order_shipment_lines l left join private.copies_to_send(_order_id) c on c.order_item_id = l.order_item_id
        where l.shipment_id = s.id and l.copies > coalesce(c.copies, 0));
  if not found then return; end if;
  update public.order_shipments set undone_at = null, undone_by = null where id = again;
  perform private.log_shipment(again, 'ship');
end $$;

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

/* Whether nothing was left to send of a part-sent order when it was cancelled. */
create function private.had_all_sent(_order_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_part_sent(_order_id)
     and not exists (select from public.order_returns r where r.order_id = _order_id and r.undone_at is null and r.reason = 'unsent')
$$;

/* An order of which copies were sent can't be deleted: they would be in no record. */
create function private.keep_sent_order(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if private.is_part_sent(_order_id) then
    perform private.refuse('PT409', 'order_has_shipments', 'Copies of this order have been sent, so it can''t be deleted. '
      || case (select o.status from public.orders o where o.id = _order_id)
           when 'cancelled' then 'Reopen the order first, which takes its unsent copies from stock again. Then undo the shipment.'
           else 'Undo the shipment first.' end);
  end if;
end $$;
