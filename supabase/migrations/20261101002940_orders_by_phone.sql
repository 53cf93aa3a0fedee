-- Orders that staff enter for a customer who calls. They are pending orders at today's prices, made through what placing an order
-- from the cart uses: the same checks, locks, emails and movements of stock, without the cart and its limits per customer.

create function private.place_order_for(
  _order_id uuid, _customer_id uuid, _book_ids uuid[], _quantities int[], _total numeric, _shipping_address text, _recipient_name text,
  _recipient_email text, _recipient_phone text, _delivery jsonb
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  placed public.orders;
  prices numeric[];
  missing int;
begin
  perform private.require_staff();
  placed := private.read_delivery(_delivery);
  -- Before any row, like everything that moves stock.
  perform private.lock_stock(false);
  if exists (select from public.orders where id = _order_id) then return _order_id; end if;
  placed.id := coalesce(_order_id, gen_random_uuid());
  placed.user_id := _customer_id;
  if _customer_id is not null and not exists (select from public.profiles where id = _customer_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  placed.shipping_address := private.clean_line(_shipping_address);
  placed.recipient_name := private.clean_line(_recipient_name);
  placed.recipient_email := private.clean_line(_recipient_email);
  placed.recipient_phone := private.clean_line(_recipient_phone);
  perform private.require_text('recipient_name', 'The name', placed.recipient_name, 200, true);
  perform private.require_text('recipient_phone', 'The phone number', placed.recipient_phone, 40, true);
  perform private.require_recipient(placed.shipping_address, placed.recipient_name, placed.recipient_email, placed.recipient_phone);

  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 999) from unnest(_quantities) as quantity;
  perform private.lock_books(_book_ids);
  select array_agg(b.price order by l.place), coalesce(sum(b.price * l.quantity), 0), count(*) - count(b.id)
    into prices, placed.total_amount, missing
    from unnest(_book_ids, _quantities) with ordinality as l (id, quantity, place) left join public.books b on b.id = l.id;
  if missing > 0 then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  end if;
  placed.delivery_fee := private.delivery_fee(placed.region, placed.delivery_method, placed.total_amount);
  placed.total_amount := placed.total_amount + placed.delivery_fee;
  if placed.total_amount is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you place it.',
      to_char(placed.total_amount, 'FM999999990.00')), jsonb_build_object('total', placed.total_amount, 'delivery_fee', placed.delivery_fee));
  end if;
  perform private.require_number('total', 'The total', placed.total_amount, 0, 99999999.99);

  insert into public.orders (id, user_id, total_amount, status, shipping_address, recipient_name, recipient_email,
                             recipient_phone, region, landmark, digital_address, delivery_method, bus_station, delivery_note,
                             delivery_fee, stock_held, created_at, updated_at)
  values (placed.id, placed.user_id, placed.total_amount, 'pending', placed.shipping_address, placed.recipient_name,
          placed.recipient_email, placed.recipient_phone, placed.region, placed.landmark, placed.digital_address,
          placed.delivery_method, placed.bus_station, placed.delivery_note, placed.delivery_fee, true, clock_timestamp(), clock_timestamp());
  perform private.fill_order(placed.id, _book_ids, _quantities, prices);
  perform private.queue_order_emails(placed.id);
  return placed.id;
end $$;
revoke execute on function private.place_order_for(uuid, uuid, uuid[], int[], numeric, text, text, text, text, jsonb) from public;
grant execute on function private.place_order_for(uuid, uuid, uuid[], int[], numeric, text, text, text, text, jsonb) to authenticated, service_role;

/*
 * Staff: places a pending order for a customer, or, without _customer_id, for a caller who has no account; returns its id. 1 to 500
 * different books, 1 to 999 copies of each; _total in cedis is what the customer was told, delivery included; _delivery as in
 * accept_quote. _order_id is chosen by the client, so that a retry orders nothing twice.
 */
create function public.place_order_for(
  _order_id uuid, _customer_id uuid, _book_ids uuid[], _quantities int[], _total numeric, _shipping_address text, _recipient_name text,
  _recipient_email text, _recipient_phone text, _delivery jsonb default '{}'
) returns uuid language sql set search_path = '' as $$
  select private.place_order_for(_order_id, _customer_id, _book_ids, _quantities, _total, _shipping_address, _recipient_name,
                                 _recipient_email, _recipient_phone, _delivery)
$$;
revoke execute on function public.place_order_for(uuid, uuid, uuid[], int[], numeric, text, text, text, text, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.place_order_for(uuid, uuid, uuid[], int[], numeric, text, text, text, text, jsonb) to authenticated, service_role;
