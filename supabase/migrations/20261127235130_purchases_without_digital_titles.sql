-- A digital title can't be received, so it can't be purchased either.

/*
 * Staff: replaces a purchase order's lines and note if it is still this version, and makes it a draft until it is sent again; returns
 * its new version. _lines: [{"book_id": …, "copies": 1 to 99999, "list_price": …, "discount": percent}], in their order, one a
 * book. A line that stays keeps the title and ISBN from when it was added.
 */
create or replace function private.update_purchase_order(_id uuid, _version int, _lines jsonb, _note text default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  gone uuid;
begin
  perform private.require_duty('stock');
  purchase := private.lock_purchase_order(_id, _version);
  if exists (select from public.purchase_order_lines where purchase_order_id = _id and received > 0) then
    perform private.refuse('PT409', 'purchase_order_received', 'Books of this purchase order have arrived: it can no longer be changed.');
  end if;
  perform private.refuse_digital(array(select l.book_id from private.read_purchase_lines(_lines) as l));
  purchase.note := private.require_text('note', 'The note', private.clean_text(_note), 2000);
  delete from public.purchase_order_lines
   where purchase_order_id = _id and book_id not in (select l.book_id from private.read_purchase_lines(_lines) as l);
  update public.purchase_order_lines p
     set position = l.position, copies = l.copies, list_price = l.list_price, discount = l.discount
    from private.read_purchase_lines(_lines) as l
   where p.purchase_order_id = _id and p.book_id = l.book_id
     and (p.position, p.copies, p.list_price, p.discount) is distinct from (l.position, l.copies, l.list_price, l.discount);
  insert into public.purchase_order_lines (purchase_order_id, book_id, position, title, publisher, isbn, copies, list_price, discount)
  select _id, b.id, l.position, b.title, b.publisher, b.isbn, l.copies, l.list_price, l.discount
    from private.read_purchase_lines(_lines) as l join public.books b on b.id = l.book_id
  on conflict (purchase_order_id, book_id) do nothing;
  select l.book_id into gone from private.read_purchase_lines(_lines) as l
   where not exists (select from public.purchase_order_lines p where p.purchase_order_id = _id and p.book_id = l.book_id)
   order by l.position limit 1;
  if found then
    perform private.refuse('PT404', 'book_not_found', 'A book of this purchase order no longer exists.',
      jsonb_build_object('book_id', gone));
  end if;
  update public.purchase_orders set status = 'draft', sent_at = null, note = purchase.note where id = _id returning * into purchase;
  return purchase.version;
end $$;
