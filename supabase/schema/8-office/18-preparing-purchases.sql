-- What staff do with a purchase order: begin it, change its lines, mark it as sent, cancel it. Each call names the version that it is about.

/* Locks a purchase order; refuses when it does not exist, or is not the version that staff saw. */
create function private.lock_purchase_order(_purchase_order_id uuid, _version int)
returns public.purchase_orders language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  select * into purchase from public.purchase_orders where id = _purchase_order_id for no key update;
  if not found then
    perform private.refuse('PT404', 'purchase_order_not_found', 'This purchase order does not exist.');
  elsif _version is distinct from purchase.version then
    perform private.refuse('PT409', 'purchase_order_changed', 'This purchase order has since been changed. Please check it again.',
      jsonb_build_object('version', purchase.version));
  end if;
  return purchase;
end $$;

/* The lines as a table, refused as a whole when one of them is not a book, copies, a price and a discount. */
create function private.read_purchase_lines(_lines jsonb)
returns table (book_id uuid, "position" int, copies int, list_price numeric, discount numeric)
language plpgsql immutable set search_path = '' as $$
begin
  if _lines is null or jsonb_typeof(_lines) <> 'array' or jsonb_array_length(_lines) > 1000 then
    perform private.refuse('PT400', 'invalid_lines', 'A purchase order has at most 1,000 lines.');
  end if;
  if exists (
    select from jsonb_array_elements(_lines) as line
     where case when jsonb_typeof(line) <> 'object' then true
                when line ->> 'book_id' ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' is not true then true
                when jsonb_typeof(line -> 'copies') is distinct from 'number' then true
                when jsonb_typeof(line -> 'list_price') is distinct from 'number' then true
                when jsonb_typeof(line -> 'discount') is distinct from 'number' then true
                else (line ->> 'copies')::numeric not between 1 and 99999
                  or (line ->> 'copies')::numeric <> trunc((line ->> 'copies')::numeric)
                  or (line ->> 'list_price')::numeric not between 0 and 99999999.99
                  or (line ->> 'list_price')::numeric <> round((line ->> 'list_price')::numeric, 2)
                  or (line ->> 'discount')::numeric not between 0 and 100
                  or (line ->> 'discount')::numeric <> round((line ->> 'discount')::numeric, 2) end
  ) then
    perform private.refuse('PT400', 'invalid_lines',
      'Each line needs a book, 1 to 99,999 copies, a price from 0 and a discount from 0 to 100, with at most two decimals.');
  end if;
  return query
    select (line ->> 'book_id')::uuid, place::int, (line ->> 'copies')::numeric::int, (line ->> 'list_price')::numeric,
           (line ->> 'discount')::numeric
      from jsonb_array_elements(_lines) with ordinality as l (line, place);
  if (select count(distinct lower(l ->> 'book_id')) from jsonb_array_elements(_lines) as l) < jsonb_array_length(_lines) then
    perform private.refuse('PT400', 'invalid_lines', 'A purchase order has one line for each book.');
  end if;
  if (select sum((l ->> 'copies')::numeric * (l ->> 'list_price')::numeric) from jsonb_array_elements(_lines) as l) > 99999999.99 then
    perform private.refuse('PT400', 'invalid_lines', 'The total is more than 99,999,999.99.');
  end if;
end $$;

/* Staff: begins a purchase order to a supplier that is not hidden, in its currency. The same _id again begins none. */
create function private.create_purchase_order(_id uuid, _supplier_id uuid)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  supplier public.suppliers;
begin
  perform private.require_duty('stock');
  -- Held until the end, so that it is not deleted meanwhile.
  select * into supplier from public.suppliers where id = _supplier_id for key share;
  if not found then
    perform private.refuse('PT404', 'supplier_not_found', 'This supplier no longer exists.');
  elsif supplier.hidden then
    perform private.refuse('PT409', 'supplier_hidden', 'This supplier is hidden. Show it again to order from it.');
  end if;
  insert into public.purchase_orders (id, supplier_id, currency) values (_id, _supplier_id, supplier.currency)
  on conflict (id) do nothing;
  return _id;
end $$;
select private.expose('create_purchase_order', 'authenticated', 'service_role');

/*
 * Staff: replaces a purchase order's lines and note if it is still this version, and makes it a draft until it is sent again; returns
 * its new version. _lines: [{"book_id": …, "copies": 1 to 99999, "list_price": …, "discount": percent}], in their order, one a
 * book. A line that stays keeps the title and ISBN from when it was added.
 */
create function private.update_purchase_order(_id uuid, _version int, _lines jsonb, _note text default null)
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
select private.expose('update_purchase_order', 'authenticated', 'service_role');

/* Staff: marks a draft as sent if it is still this version; returns its reference, such as PO2026-0001, assigned the first time. */
create function private.send_purchase_order(_id uuid, _version int)
returns text language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  this_year constant int := extract(year from private.today());
begin
  perform private.require_duty('stock');
  purchase := private.lock_purchase_order(_id, _version);
  if purchase.status <> 'draft' then
    perform private.refuse('PT409', 'purchase_order_not_draft', format('This purchase order is already %s.', purchase.status),
      jsonb_build_object('status', purchase.status));
  elsif not exists (select from public.purchase_order_lines where purchase_order_id = _id) then
    perform private.refuse('PT409', 'purchase_order_empty', 'Add a book before you mark this purchase order as sent.');
  end if;
  if purchase.number is null then
    purchase.year := this_year;
    purchase.number := private.next_yearly_number('purchase_orders', this_year);
  end if;
  update public.purchase_orders
     set status = 'sent', sent_at = clock_timestamp(), year = purchase.year, number = purchase.number
   where id = _id returning * into purchase;
  return purchase.reference;
end $$;
select private.expose('send_purchase_order', 'authenticated', 'service_role');

/* Staff: cancels a purchase order if it is still this version. What has arrived stays. It keeps its number; saving a change makes it a draft again. */
create function private.cancel_purchase_order(_id uuid, _version int)
returns void language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_duty('stock');
  purchase := private.lock_purchase_order(_id, _version);
  if purchase.status in ('received', 'cancelled') then
    perform private.refuse('PT409', 'purchase_order_closed', format('This purchase order is already %s.', purchase.status),
      jsonb_build_object('status', purchase.status));
  end if;
  update public.purchase_orders set status = 'cancelled' where id = _id;
end $$;
select private.expose('cancel_purchase_order', 'authenticated', 'service_role');
