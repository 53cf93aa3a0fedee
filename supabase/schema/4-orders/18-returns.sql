-- Copies that come back from an order which has left the shop, by line. Those that can be sold again go back to stock, the others are
-- written off. What is refunded for them is no longer owed for the order (orders.returned_amount), so that money which was paid for
-- them is owed back until it is refunded or kept (5-money/8-owed-back). A return is never changed, but it can be undone.

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
  -- 'unsent': cancelling a part-sent order returned what had not been sent.
  constraint order_returns_reason_is_known check (reason = any (private.return_reasons() || '{unsent}')),
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
  -- Of one title, some copies can be sold again and others can't.
  primary key (return_id, order_item_id, resalable),
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
                            order by private.fold(l.title), l.order_item_id, l.resalable desc))
    from public.order_returns r
    join public.orders o on o.id = r.order_id
    join public.order_return_lines l on l.return_id = r.id
   where r.id = _return_id
   group by o.id, r.id
$$;

/*
 * The lines of a return as they are stored. _lines as in write_return. A licence code that nobody was given can always be sold.
 */
create function private.lines_to_return(_order_id uuid, _lines jsonb)
returns table (order_item_id uuid, copies int, seen int, resalable boolean, refund numeric)
language sql stable security definer set search_path = '' as $$
  select l.order_item_id, l.copies, l."left", coalesce(l.resalable, true) or d.digital_by is not null, l.refund
    from jsonb_to_recordset(_lines) as l (order_item_id uuid, copies int, "left" int, resalable boolean, refund numeric)
    left join public.order_items i on i.id = l.order_item_id and i.order_id = _order_id
    left join private.digital_titles(array(select o.sold_book_id from public.order_items o where o.order_id = _order_id)) as d
      on d.book_id = i.sold_book_id
$$;

/*
 * Returns copies of an order: [{order_item_id, copies, left, resalable, refund}], at most one for the copies of a title that can be sold
 * again and one for the others; left what could still be returned of it when staff looked, refund in cedis for all of these copies, by
 * default their price. The caller has locked stock and order.
 */
create function private.write_return(_return_id uuid, _order public.orders, _lines jsonb, _reason text, _note text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := case when jsonb_typeof(_lines) = 'array' then jsonb_array_length(_lines) else 0 end;
  written_note constant text := private.clean_text(_note);
  line record;
begin
  if titles not between 1 and 1000
     or (select count(distinct (l.order_item_id, coalesce(l.resalable, true)))
           from jsonb_to_recordset(_lines) as l (order_item_id uuid, resalable boolean)) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 1,000 different lines of the order, with the copies of each.');
  end if;
  perform private.require_text('reason', 'The reason', _reason, 20, true);
  perform private.require_choice('reason', 'The reason', _reason, private.return_reasons());
  perform private.require_text('note', 'The note', written_note, 500);
  insert into public.order_returns (id, order_id, reason, note, of_cancelled)
  values (_return_id, _order.id, _reason, written_note, _order.status = 'cancelled');
  for line in
    select l.*, c.book_id, i.title, i.price, coalesce(c.copies, 0) as most,
           sum(l.copies) over (partition by l.order_item_id) as of_title
      from private.lines_to_return(_order.id, _lines) as l
      left join public.order_items i on i.id = l.order_item_id and i.order_id = _order.id
      left join private.copies_to_return(_order.id) as c on c.order_item_id = i.id
  loop
    if line.title is null then
      perform private.refuse('PT404', 'line_not_found', 'A line of this order no longer exists. Check the order again.');
    end if;
    perform private.require_number('copies', 'The number of copies', line.copies, 1, 9999);
    if line.seen <> line.most then
      perform private.refuse('PT409', 'return_outdated',
        format('Copies of %s have been returned since you opened this form. Check the order''s history first.', line.title));
    end if;
    if line.of_title > line.most then
      perform private.refuse('PT409', 'more_than_ordered', case line.most
          when 0 then format('No copies of %s can be returned any more.', line.title)
          else format('%s: only %s can still be returned.', line.title, line.most) end,
        jsonb_build_object('order_item_id', line.order_item_id, 'title', line.title, 'most', line.most));
    end if;
    line.refund := case when _order.status = 'cancelled' then 0 else coalesce(line.refund, line.price * line.copies) end;
    perform private.require_number('refund', 'The refund', line.refund, 0, line.price * line.copies);
    perform private.require_pesewas('refund', 'The refund', line.refund);
    insert into public.order_return_lines (return_id, order_item_id, book_id, title, copies, resalable, refund)
    values (_return_id, line.order_item_id, line.book_id, line.title, line.copies, line.resalable, line.refund)
    on conflict (return_id, order_item_id, resalable)
    do update set copies = order_return_lines.copies + excluded.copies, refund = order_return_lines.refund + excluded.refund;
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
  known public.order_returns;
begin
  perform private.require_duty('orders');
  of_order := private.lock_order_with_stock(_order_id);
  select * into known from public.order_returns r where r.id = _return_id and r.order_id = _order_id;
  if found then
    if known.undone_at is not null or (known.reason, known.note) is distinct from (_reason, private.clean_text(_note)) or exists (
      select from (select l.order_item_id, l.resalable, l.copies, l.refund from public.order_return_lines l where l.return_id = known.id) as stored
        full join (select t.order_item_id, t.resalable, sum(t.copies) as copies, sum(t.refund) as refund
                     from private.lines_to_return(_order_id, _lines) as t group by t.order_item_id, t.resalable) as l
          using (order_item_id, resalable)
       where stored.copies is distinct from l.copies or known.of_cancelled is false and stored.refund <> l.refund
    ) then
      perform private.refuse('PT409', 'return_exists',
        'This return was already recorded, before your last changes. You''ll find it in the order''s history.');
    end if;
    return;
  end if;
  if private.is_open(of_order.status) then
    perform private.refuse('PT409', 'order_not_sent', case when private.is_part_sent(_order_id)
      then 'The rest of this order hasn''t been sent yet. Send it first, then record what came back.'
      else 'This order hasn''t been sent yet. Change or cancel it instead.' end);
  end if;
  if not of_order.stock_held then
    perform private.refuse('PT409', 'nothing_to_return', 'All copies of this order have already been returned.');
  end if;
  perform private.write_return(coalesce(_return_id, gen_random_uuid()), of_order, _lines, _reason, _note);
end $$;
select private.expose('return_copies', 'authenticated', 'service_role');

/* Staff: returns all copies of an order that have not been returned, as good as new. It refunds nothing: nobody has decided that. */
create function private.return_to_stock(_order_id uuid)
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
    perform private.refuse('PT409', 'nothing_to_return', 'All copies of this order have already been returned.');
  end if;
  perform private.write_return(gen_random_uuid(), of_order, lines, 'other', null);
end $$;
select private.expose('return_to_stock', 'authenticated', 'service_role');

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
  -- They were sent, and would be to send again: no shipment says so.
  if private.is_part_sent(_order.id) and exists (select from public.order_returns r where r.id = any (undone) and r.reason <> 'unsent') then
    perform private.refuse('PT409', 'sent_copies_returned',
      'Copies of this order came back after they had been sent. Undo the return, then reopen the order.');
  end if;
  -- By this time, what_was_reopened knows them.
  update public.order_returns set undone_at = transaction_timestamp(), undone_by = auth.uid() where id = any (undone);
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

/* What the reopening of a cancelled order takes back: its order_events.reopened; null for other changes. */
create function private.what_was_reopened(_old public.orders)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('stock_held', _old.stock_held, 'returns', coalesce((
           select jsonb_agg(r.id order by r.created_at, r.id) from public.order_returns r
            where r.order_id = _old.id and r.undone_at = transaction_timestamp()), '[]'))
   where _old.status = 'cancelled'
$$;

/*
 * Takes back what the last reopening of an order did to its copies and returns, whatever its status since: nothing else tells a copy that
 * was taken for it from one that the customer already had. Null, and nothing is done, if copies have moved since then.
 */
create function private.undo_reopening(_order public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  reopening public.order_events;
  before timestamptz;
  returns uuid[];
  book_ids uuid[];
  quantities int[];
begin
  select * into reopening from public.order_events e where e.order_id = _order.id and e.from_status = 'cancelled' order by e.id desc limit 1;
  if reopening.reopened is null
     or exists (select from public.stock_movements m where m.order_id = _order.id and m.created_at > reopening.created_at)
     or exists (select from public.order_shipments s where s.order_id = _order.id and s.created_at > reopening.created_at and s.undone_at is null)
     or exists (select from private.licence_codes c where c.order_id = _order.id) then
    return null;
  end if;
  select coalesce(max(e.created_at), '-infinity') into before from public.order_events e where e.order_id = _order.id and e.id < reopening.id;
  select array_agg(m.book_id), array_agg(-m.quantity) into book_ids, quantities
    from public.stock_movements m
   where m.order_id = _order.id and m.reason = 'reopen' and m.created_at > before and m.created_at <= reopening.created_at;
  if book_ids is not null then
    perform private.move_stock(book_ids, quantities, 'cancel', _order.id);
  end if;
  returns := array(select id::uuid from jsonb_array_elements_text(reopening.reopened -> 'returns') as id);
  update public.order_returns set undone_at = null, undone_by = null where id = any (returns);
  perform private.log_return(r.id, 'return') from public.order_returns r where r.id = any (returns) and r.reason <> 'unsent';
  _order.stock_held := (reopening.reopened ->> 'stock_held')::boolean;
  _order.returned_amount := private.sum_returns(_order.id);
  return _order;
end $$;

/* An order whose copies have come back can't be deleted: restoring it would take them from stock again. */
create function private.keep_returned_order(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.order_returns r where r.order_id = _order_id and r.undone_at is null) then
    perform private.refuse('PT409', 'order_has_returns', 'Copies of this order have been returned, so it can''t be deleted. Undo the return first.');
  end if;
end $$;
