-- What happens to an order's copies when its status changes or it is deleted. Entering cancelled, or deletion, from
-- pending or processing returns them; leaving cancelled takes them again, and is refused when too few are left.
-- Shipped and delivered orders return nothing automatically: staff use return_to_stock.

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

create function private.follow_status()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  choices constant text[] := array['pending', 'processing', 'shipped', 'delivered', 'cancelled'];
begin
  if new.status is null or new.status <> all (choices) then
    perform private.refuse('PT400', 'invalid_field', 'Unknown order status.',
      jsonb_build_object('field', 'status', 'rule', 'choice', 'choices', choices));
  end if;
  if new.status = 'cancelled' and old.status in ('pending', 'processing') and old.stock_held then
    perform private.move_order_stock(new.id, 1, 'cancel');
    new.stock_held := false;
  elsif old.status = 'cancelled' and new.status <> 'cancelled' and not old.stock_held then
    perform private.move_order_stock(new.id, -1, 'reopen');
    new.stock_held := true;
  end if;
  return new;
end $$;
create trigger follow_status before update of status on public.orders
  for each row execute function private.follow_status();

create function private.return_deleted_order()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.stock_held then
    perform private.move_order_stock(old.id, 1, 'delete', old.status not in ('pending', 'processing'));
  end if;
  return old;
end $$;
create trigger return_deleted_order before delete on public.orders
  for each row execute function private.return_deleted_order();

/* Admins: returns the copies of an order to stock, once. */
create function private.return_to_stock(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  held boolean;
begin
  perform private.require_duty('orders');
  perform private.lock_stock(true);
  select stock_held into held from public.orders where id = _order_id for no key update;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  if not held then
    perform private.refuse('PT409', 'nothing_to_return', 'The copies of this order are already back in stock.');
  end if;
  perform private.move_order_stock(_order_id, 1, 'return');
  update public.orders set stock_held = false where id = _order_id;
end $$;
select private.expose('return_to_stock', 'authenticated', 'service_role');
