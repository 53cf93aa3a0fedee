-- Changing the books of a pending or processing order. Lines, stock, total, delivery fee and payment state follow in one transaction,
-- and the log has one row for it, with the lines before and after, from which it can be undone.

create function private.order_lines_as_json(_order_id uuid)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'sold_book_id', i.sold_book_id, 'quantity', i.quantity, 'price', i.price,
                                               'title', i.title, 'publisher', i.publisher, 'isbn', i.isbn) order by private.fold(i.title), i.id), '[]')
    from public.order_items i where i.order_id = _order_id
$$;

/* An order as the log stores it. */
create function private.changed_order_as_json(_order_id uuid)
returns jsonb language sql stable set search_path = '' as $$
  select jsonb_build_object('number', o.number, 'total_amount', o.total_amount, 'delivery_fee', o.delivery_fee,
                            'lines', private.order_lines_as_json(o.id))
    from public.orders o where o.id = _order_id
$$;

/* The order, locked, if its lines can be changed. The caller holds the lock on stock. */
create function private.lock_open_order(_order_id uuid)
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

/*
 * Replaces an order's lines by these, as order_lines_as_json has them; a line without an id is new. Moves the difference in copies, or
 * refuses the whole change with the titles that have too few. The caller has locked stock and order.
 */
create function private.write_order_lines(_order public.orders, _lines jsonb, _delivery_fee numeric)
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
  -- As write_return has it: an order of which all copies have come back holds none.
  holds := holds and (not exists (select from public.order_returns r where r.order_id = _order.id and r.undone_at is null)
                      or exists (select from private.copies_to_return(_order.id)));
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
 * What delivery of an order costs with books of this total, in cedis: the fees' rule, but not where it was agreed in the quote that the
 * order came from, or is included in its prices. Refuses what can't be delivered, whatever its fee.
 */
create function private.changed_delivery_fee(_order public.orders, _books_total numeric, _is_digital boolean)
returns numeric language plpgsql stable security definer set search_path = '' as $$
declare
  fee constant numeric := private.order_delivery_fee(_order.region, _order.delivery_method, _books_total, _is_digital);
begin
  if fee is null or not _is_digital and exists (
    select from public.quotes q
     where q.order_id = _order.id and q.delivery_pricing <> 'fees'
       and private.quoted_delivery_fee(q, _order.delivery_method, _order.region) is not null
  ) then
    return _order.delivery_fee;
  end if;
  return fee;
end $$;

/* Staff: what delivery of an order costs with books of this total, in cedis, before it is changed. */
create function private.find_changed_delivery_fee(_order_id uuid, _books_total numeric, _is_digital boolean)
returns numeric language plpgsql stable security definer set search_path = '' as $$
declare
  changed public.orders;
begin
  perform private.require_duty('orders');
  select * into changed from public.orders where id = _order_id;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  return private.changed_delivery_fee(changed, _books_total, _is_digital);
end $$;
select private.expose('find_changed_delivery_fee', 'authenticated', 'service_role');

/*
 * Staff: replaces the books of a pending or processing order: 1 to 500 different ones, 1 to 9,999 copies of each. Books already ordered
 * keep their price, new ones get the current price. The delivery fee is recalculated, unless a quote agreed on it or includes it in its
 * prices. Refused if the order has changed since _updated_at, or if its new total is not _total (in cedis, delivery
 * included). Repeating the call changes nothing.
 */
create function private.change_order(_order_id uuid, _updated_at timestamptz, _book_ids uuid[], _quantities int[], _total numeric)
returns void language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  changed public.orders;
  lines jsonb;
  known int;
  books_total numeric;
  fee numeric;
  is_digital boolean;
  adds_digital boolean;
begin
  perform private.require_duty('orders');
  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 9999) from unnest(_quantities) as quantity;
  perform private.lock_stock(true);
  changed := private.lock_open_order(_order_id);
  if exists (select from public.order_items i where i.order_id = _order_id and i.sold_book_id is null) then
    perform private.refuse('PT409', 'line_without_book', 'A line of this order doesn''t say which book it is, so its books can''t be changed.');
  elsif not exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                   full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                  where l is null or asked is null) then
    return;
  elsif changed.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'order_changed', 'This order has changed since you opened it. Check it before you change it.');
  end if;
  perform private.lock_books(_book_ids);
  select count(coalesce(i.sold_book_id, b.id)), sum(coalesce(i.price, b.price) * asked.quantity),
         bool_and(coalesce(b.kind = 'digital', g.digital_by is not null)), bool_or(b.kind = 'digital' and i.id is null),
         jsonb_agg(jsonb_build_object('id', i.id, 'sold_book_id', asked.id, 'quantity', asked.quantity, 'price', coalesce(i.price, b.price),
                                      'title', coalesce(i.title, b.title), 'publisher', case when i.id is null then b.publisher else i.publisher end,
                                      'isbn', case when i.id is null then b.isbn else i.isbn end))
    into known, books_total, is_digital, adds_digital, lines
    from unnest(_book_ids, _quantities) as asked (id, quantity)
    left join public.order_items i on i.order_id = _order_id and i.sold_book_id = asked.id
    left join public.books b on b.id = asked.id
    left join private.gone_books g on g.id = asked.id;
  if known < titles then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  elsif adds_digital and changed.user_id is null then
    perform private.refuse('PT409', 'account_needed', 'Digital titles are downloaded from the customer''s account, and this order belongs to none.');
  end if;
  fee := private.changed_delivery_fee(changed, books_total, is_digital);
  if books_total + fee is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you change it.',
      to_char(books_total + fee, 'FM999999990.00')), jsonb_build_object('total', books_total + fee, 'delivery_fee', fee));
  end if;
  perform private.write_order_lines(changed, lines, fee);
end $$;
select private.expose('change_order', 'authenticated', 'service_role');

/* Staff: undoes a change in the log, the latest of its order, with the previous prices and delivery fee. Repeating it changes nothing. */
create function private.undo_order_change(_audit_id bigint)
returns void language plpgsql security definer set search_path = '' as $$
declare
  entry public.audit_log;
  changed public.orders;
  now_is jsonb;
begin
  perform private.require_duty('orders');
  perform private.lock_stock(true);
  select * into entry from public.audit_log where id = _audit_id and table_name = 'orders' and action = 'change';
  if not found then
    perform private.refuse('PT404', 'not_in_archive', 'This change is no longer in the log.');
  end if;
  changed := private.lock_open_order(entry.row_id::uuid);
  now_is := private.changed_order_as_json(changed.id);
  if now_is = entry.before then return; end if;
  if now_is <> entry.after then
    perform private.refuse('PT409', 'not_last_change', 'This order was changed again later. Undo the latest change.');
  end if;
  perform private.write_order_lines(changed, entry.before -> 'lines', (entry.before ->> 'delivery_fee')::numeric);
end $$;
select private.expose('undo_order_change', 'authenticated', 'service_role');
