-- Staff change what a pending or processing order consists of, and can undo it.

alter table public.audit_log
  drop constraint audit_log_action_is_known,
  add constraint audit_log_action_is_known
    check (action in ('insert', 'update', 'delete', 'restore', 'import', 'undo', 'merge', 'change'));

alter table public.stock_movements
  drop constraint stock_movements_reason_is_known,
  add constraint stock_movements_reason_is_known check (reason in (
    'order', 'change', 'cancel', 'delete', 'reopen', 'manual', 'import', 'return',
    'found', 'damaged', 'lost', 'sample', 'gift', 'correction'
  ));

create or replace function private.record_audit()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  derived constant text[] := '{search_text,word_text,title_key,name_key,isbn_key,isbn13,school_key,class_key,paid_amount,has_undecided_payment,payment_state}';
  ignored constant text[] := coalesce(tg_argv, '{}');
  action text := lower(tg_op);
  before jsonb;
  after jsonb;
begin
  if tg_op <> 'INSERT' then before := to_jsonb(old) - derived; end if;
  if tg_op <> 'DELETE' then after := to_jsonb(new) - derived; end if;
  -- Not for the demo catalogue, which no person adds or removes; nor while an order's lines are changed, which is one row.
  if current_setting('shop.task', true) in ('demo', 'change') then return null; end if;
  if tg_op = 'UPDATE' and before - ignored = after - ignored then return null; end if;
  if tg_op = 'INSERT' and coalesce(current_setting('shop.task', true), '') = 'restore' then
    action := 'restore';
  end if;
  insert into public.audit_log (table_name, row_id, action, before, after)
  values (tg_table_name, coalesce(after, before) ->> 'id', action, before, after);
  return null;
end $$;

create or replace function private.email_kinds()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "order_placed": {"audience": "customer", "topic": "order"},
    "order_status_changed": {"audience": "customer", "topic": "order"},
    "order_changed": {"audience": "customer", "topic": "order"},
    "order_cancelled": {"audience": "customer", "topic": "order"},
    "order_paid": {"audience": "customer", "topic": "payment"},
    "order_refunded": {"audience": "customer", "topic": "payment"},
    "quote_sent": {"audience": "customer", "topic": "quote"},
    "back_in_stock": {"audience": "customer", "topic": "alert"},
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
    "low_stock": {"audience": "owner", "topic": "stock"}
  }'::jsonb
$$;

create or replace function private.email_order(_order_id uuid)
returns jsonb language sql stable security definer set search_path = '' as $$
  select private.typed_of_order(to_jsonb(o)) || jsonb_build_object(
    'id', o.id, 'number', o.number, 'has_account', o.user_id is not null, 'total', o.total_amount, 'placed_at', o.created_at,
    'name', coalesce(o.recipient_name, p.full_name), 'email', case when o.user_id is null then o.recipient_email else p.email end,
    'recipient_email', case when lower(o.recipient_email) <> lower(p.email) then o.recipient_email end,
    'phone', coalesce(o.recipient_phone, p.phone), 'delivery_fee', o.delivery_fee, 'paid', o.paid_amount,
    'carrier', o.carrier, 'parcel_number', o.parcel_number, 'driver_phone', o.driver_phone,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'quantity', i.quantity, 'price', i.price)
                       order by private.fold(i.title), i.id)
        from public.order_items i where i.order_id = o.id), '[]'))
    from public.orders o left join public.profiles p on p.id = o.user_id
   where o.id = _order_id
$$;

create or replace function private.admin_list_audit(
  _table_name text default null, _actor uuid default null, _q text default null, _sort text default 'id', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id bigint, happened_at timestamptz, actor uuid, actor_name text, actor_email text, table_name text, row_id text,
  action text, before jsonb, after jsonb, restorable boolean
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case when coalesce(_descending, true) then 'a.id desc' else 'a.id asc' end;
begin
  perform private.require_staff();
  return query execute
    'select a.id, a.happened_at, a.actor, p.full_name, p.email, a.table_name, a.row_id, a.action, a.before, a.after,
              a.action in (''delete'', ''change'') and not exists (
                select from public.audit_log later
                 where later.table_name = a.table_name and later.row_id = a.row_id and later.action = a.action and later.id > a.id
              ) and case case a.action when ''change'' then a.action else a.table_name end
                when ''change'' then exists (
                  select from public.orders x where x.id::text = a.row_id and x.status in (''pending'', ''processing''))
                when ''books'' then not exists (select from public.books x where x.id::text = a.row_id)
                when ''orders'' then not exists (select from public.orders x where x.id::text = a.row_id)
                when ''reviews'' then not exists (select from public.reviews x where x.id::text = a.row_id)
                  and exists (select from public.books x where x.id::text = a.before ->> ''book_id'')
                when ''publishers'' then not exists (select from public.publishers x where x.id::text = a.row_id)
                else false end
       from (select a.id from public.audit_log a where ' || private.audit_conditions(_table_name, _actor, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.audit_log a on a.id = page.id left join public.profiles p on p.id = a.actor
      order by ' || sorted;
end $$;

create function private.order_lines_as_json(_order_id uuid)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'sold_book_id', i.sold_book_id, 'quantity', i.quantity, 'price', i.price,
                                               'title', i.title, 'publisher', i.publisher, 'isbn', i.isbn) order by private.fold(i.title), i.id), '[]')
    from public.order_items i where i.order_id = _order_id
$$;

/* An order as the log of its changes has it. */
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
  elsif locked.status not in ('pending', 'processing') then
    perform private.refuse('PT409', 'order_not_open', format('Only pending and processing orders can be changed. This one is %s.', locked.status));
  end if;
  return locked;
end $$;

/*
 * Replaces an order's lines by these, as order_lines_as_json has them; a line without an id is new. Moves the difference in copies, or
 * refuses all of it with the titles that have too few. The caller has locked stock and order.
 */
create function private.write_order_lines(_order public.orders, _lines jsonb, _delivery_fee numeric)
returns void language plpgsql security definer set search_path = '' as $$
declare
  before constant jsonb := private.changed_order_as_json(_order.id);
  book_ids uuid[];
  quantities int[];
  total numeric;
  change_id bigint;
begin
  select sum(l.price * l.quantity) + _delivery_fee into total from jsonb_populate_recordset(null::public.order_items, _lines) as l;
  perform private.require_number('total', 'The total', total, 0, 99999999.99);
  select array_agg(d.id), array_agg(d.copies) into book_ids, quantities
    from (select m.id, sum(m.copies) as copies
            from (select i.sold_book_id, i.quantity from public.order_items i where i.order_id = _order.id
                  union all
                  select l.sold_book_id, -l.quantity from jsonb_populate_recordset(null::public.order_items, _lines) as l) as m (id, copies)
           group by m.id having sum(m.copies) <> 0) as d;
  if book_ids is not null and _order.stock_held then
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
  insert into public.order_items (id, order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn)
  select coalesce(l.id, gen_random_uuid()), _order.id, b.id, l.sold_book_id, l.quantity, l.price, l.title, l.publisher, l.isbn
    from jsonb_populate_recordset(null::public.order_items, _lines) as l left join public.books b on b.id = l.sold_book_id
   where not exists (select from public.order_items i where i.id = l.id);
  update public.orders set total_amount = total, delivery_fee = _delivery_fee where id = _order.id;
  perform set_config('shop.task', '', true);

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
 * Staff: makes a pending or processing order consist of these books: 1 to 500 different ones, 1 to 9,999 copies of each. What was ordered
 * keeps its price, what is new costs what the book costs now. The delivery fee is worked out anew unless the order's prices include it, as
 * a quote's do. Refused if the order has changed since _updated_at, or if its new total is not _total (in cedis, delivery
 * included). The same call again changes nothing.
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
begin
  perform private.require_staff();
  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 9999) from unnest(_quantities) as quantity;
  perform private.lock_stock(true);
  changed := private.lock_open_order(_order_id);
  if not exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                   full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                  where l is null or asked is null) then
    return;
  elsif changed.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'order_changed', 'This order has changed since you opened it. Check it before you change it.');
  end if;
  perform private.lock_books(_book_ids);
  select count(coalesce(i.sold_book_id, b.id)), sum(coalesce(i.price, b.price) * asked.quantity),
         jsonb_agg(jsonb_build_object('id', i.id, 'sold_book_id', asked.id, 'quantity', asked.quantity, 'price', coalesce(i.price, b.price),
                                      'title', coalesce(i.title, b.title), 'publisher', case when i.id is null then b.publisher else i.publisher end,
                                      'isbn', case when i.id is null then b.isbn else i.isbn end))
    into known, books_total, lines
    from unnest(_book_ids, _quantities) as asked (id, quantity)
    left join public.order_items i on i.order_id = _order_id and i.sold_book_id = asked.id
    left join public.books b on b.id = asked.id;
  if known < titles then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  end if;
  fee := case when exists (select from public.quotes q where q.order_id = _order_id) then changed.delivery_fee
              else coalesce(private.delivery_fee(changed.region, changed.delivery_method, books_total), changed.delivery_fee) end;
  if books_total + fee is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you change it.',
      to_char(books_total + fee, 'FM999999990.00')), jsonb_build_object('total', books_total + fee, 'delivery_fee', fee));
  end if;
  perform private.write_order_lines(changed, lines, fee);
end $$;
select private.expose('change_order', 'authenticated', 'service_role');

/* Staff: undoes a change in the log, the latest of its order, with the prices and the delivery fee of before. Twice is once. */
create function private.undo_order_change(_audit_id bigint)
returns void language plpgsql security definer set search_path = '' as $$
declare
  entry public.audit_log;
  changed public.orders;
  now_is jsonb;
begin
  perform private.require_staff();
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
