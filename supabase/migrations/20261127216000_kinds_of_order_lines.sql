-- What each line of an order is stays known when its title is deleted: a digital one is never packed, and its buyers find their downloads.

alter table public.order_items add column kind text not null default 'book';
alter table public.order_items add constraint order_items_kind_is_known check (kind in ('book', 'digital', 'stationery'));
update public.order_items i set kind = b.kind from public.books b where b.id = i.sold_book_id and b.kind <> 'book';
update public.order_items i set kind = 'digital' from private.gone_books g where g.id = i.sold_book_id and g.digital_by is not null;

/*
 * Writes an order's lines at these prices and takes the copies, or refuses all of it with the titles that have too few.
 * The caller holds the lock on stock and has locked the books. Planned once, as private.move_locked_stock. What costs nothing is there at once.
 */
create or replace function private.fill_order(_order_id uuid, _book_ids uuid[], _quantities int[], _prices numeric[])
returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn, kind)
  select _order_id, b.id, b.id, l.quantity, l.price, b.title, b.publisher, b.isbn, b.kind
    from unnest(_book_ids, _quantities, _prices) as l (book_id, quantity, price) join public.books b on b.id = l.book_id;
  perform private.move_locked_stock(_book_ids, array(select -q from unnest(_quantities) with ordinality as u (q, n) order by n),
    'order', _order_id);
  if 0 = all (_prices) then perform private.settle_digital(_order_id); end if;
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
    perform private.move_order_stock(_order_id, -1, 'reopen', gone.status not in ('pending', 'processing'));
  end if;
  perform private.settle_digital(_order_id);
  return _order_id;
exception when unique_violation then
  perform private.refuse('PT409', 'already_restored', 'This order has already been restored.');
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
begin
  select sum(l.price * l.quantity) + _delivery_fee into total from jsonb_populate_recordset(null::public.order_items, _lines) as l;
  perform private.require_number('total', 'The total', total, 0, 99999999.99);
  if exists (
    select from public.order_items i left join jsonb_populate_recordset(null::public.order_items, _lines) as l on l.id = i.id
     where i.order_id = _order.id and coalesce(l.quantity, 0) < i.quantity and coalesce(l.quantity, 0) < private.codes_given(_order.id, i.sold_book_id)
  ) then
    perform private.refuse('PT409', 'codes_given', 'The customer already has licence codes of this order: these copies can''t be taken out of it.');
  end if;
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
  insert into public.order_items (id, order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn, kind)
  select coalesce(l.id, gen_random_uuid()), _order.id, b.id, l.sold_book_id, l.quantity, l.price, l.title, l.publisher, l.isbn,
         coalesce(l.kind, b.kind, 'book')
    from jsonb_populate_recordset(null::public.order_items, _lines) as l left join public.books b on b.id = l.sold_book_id
   where not exists (select from public.order_items i where i.id = l.id);
  update public.orders set total_amount = total, delivery_fee = _delivery_fee where id = _order.id;
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

