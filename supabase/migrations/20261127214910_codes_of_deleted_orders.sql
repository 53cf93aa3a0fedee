-- An order that is deleted after it was shipped gives back its codes that nobody has; restored, it takes them again.

drop function private.move_order_stock(uuid, int, text);

/*
 * Moves all copies of an order, even those of deleted books: 1 returns them, -1 takes them. Not those of a digital title whose codes were
 * given: they stay with the order. _only_codes moves no others than those of digital titles, which nobody has sent.
 */
create function private.move_order_stock(_order_id uuid, _direction int, _reason text, _only_codes boolean default false)
returns void language plpgsql security definer set search_path = '' as $$
declare
  book_ids uuid[];
  quantities int[];
begin
  select array_agg(i.sold_book_id), array_agg(i.copies * _direction) into book_ids, quantities
    from (select sold_book_id, quantity - private.codes_given(_order_id, sold_book_id) as copies
            from public.order_items where order_id = _order_id offset 0) as i
   where i.copies <> 0
     and (not _only_codes or exists (select from private.digital_titles(array[i.sold_book_id]) as d where d.digital_by = 'code'));
  if book_ids is not null then
    perform private.move_stock(book_ids, quantities, _reason, _order_id);
  end if;
end $$;


create or replace function private.return_deleted_order()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.stock_held then
    perform private.move_order_stock(old.id, 1, 'delete', old.status not in ('pending', 'processing'));
  end if;
  return old;
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
  insert into public.order_items (id, order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn)
  select i.id, i.order_id, b.id, i.sold_book_id, i.quantity, i.price, i.title, i.publisher, i.isbn
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

