-- What happens to an order's copies when its status changes (private.status_changes) or it is deleted: deletion returns those of an open
-- order. Those that were sent as a part of it (19-shipments) stay out. Taking copies again is refused when too few are left. Shipped and delivered orders return nothing automatically: staff use
-- return_copies (18-returns).

/*
 * Moves all copies of an order, even those of deleted books: 1 returns them, -1 takes them. Not those that are returned already, nor those
 * of a digital title whose codes were given: they stay with the order. _only_codes moves no others than those of digital titles, which
 * nobody has sent.
 */
create function private.move_order_stock(_order_id uuid, _direction int, _reason text, _only_codes boolean default false)
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

/* Whether an order was cancelled after it had been sent, which moved no copy, and none has come back since: Undo moves none either. */
create function private.was_cancelled_when_sent(_order_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce((select not private.is_open(e.from_status) and e.to_status = 'cancelled' from public.order_events e
                    where e.order_id = _order_id order by e.id desc limit 1), false)
     and not exists (select from public.order_returns r where r.order_id = _order_id and r.undone_at is null and r.of_cancelled)
$$;

/*
 * Moves an order's copies as its new status says (private.status_changes), and undoes the shipment that closed an order which is open
 * again. Returns the order as it is stored.
 */
create function private.follow_status(_old public.orders, _new public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  moved int;
  restored public.orders;
begin
  if _new.status is not distinct from _old.status then return _new; end if;
  if _new.status is null or _new.status <> all (private.order_statuses()) then
    perform private.refuse('PT400', 'invalid_field', 'Unknown order status.',
      jsonb_build_object('field', 'status', 'rule', 'choice', 'choices', private.order_statuses()));
  end if;
  if _new.status = 'cancelled' and current_setting('shop.undo', true) = 'on' then
    restored := private.undo_reopening(_new);
    if restored.id is not null then return restored; end if;
  end if;
  select c.copies into moved from private.status_changes() as c where c.from_status = _old.status and c.to_status = _new.status;
  if moved = 1 and _old.stock_held then
    if private.is_part_sent(_new.id) then
      _new.stock_held := private.return_unsent_copies(_new.id);
    else
      perform private.move_order_stock(_new.id, 1, 'cancel');
      _new.stock_held := false;
    end if;
  elsif moved = -1 and (current_setting('shop.undo', true) is distinct from 'on' or not private.was_cancelled_when_sent(_old.id)) then
    perform private.take_reopened_copies(_old);
    _new.stock_held := true;
    _new.returned_amount := private.sum_returns(_new.id);
  end if;
  if private.is_open(_new.status) and not private.is_open(_old.status) then
    perform private.undo_closing_shipment(_new.id);
  elsif _new.status = 'shipped' and private.is_open(_old.status) and current_setting('shop.undo', true) = 'on' then
    perform private.redo_closing_shipment(_new.id);
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
