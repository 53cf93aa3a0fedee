-- What happens to an order's copies when its status changes (private.status_changes) or it is deleted: deletion returns those of an open
-- order. Taking them again is refused when too few are left. Shipped and delivered orders return nothing automatically: staff use
-- return_to_stock.

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
