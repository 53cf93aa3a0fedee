-- Orders that staff enter for a customer who calls. They are pending orders at today's prices, made through what placing an order
-- from the cart uses: the same checks, locks, emails and movements of stock, without the cart and its limits per customer.

/*
 * Staff: places a pending order for a customer, or, without _customer_id, for a caller who has no account; returns its id. 1 to 500
 * different books, 1 to 999 copies of each; _total in cedis is what the customer was quoted, delivery included; _order as in
 * accept_quote. _order_id is chosen by the client, so that a retry orders nothing twice; refused if that order is another one: staff may
 * have changed what they typed because the first response was lost.
 */
create function private.place_order_for(
  _order_id uuid, _customer_id uuid, _book_ids uuid[], _quantities int[], _total numeric, _order jsonb
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  placed public.orders;
  before public.orders;
  prices numeric[];
  missing int;
  is_digital boolean;
  has_digital boolean;
begin
  perform private.require_duty('orders');
  -- Whoever has an order for an account sees the account.
  if _customer_id is not null then perform private.require_duty('people'); end if;
  placed := private.read_order(_order);
  -- A caller may have no email address; staff leave it empty.
  placed.recipient_email := private.clean_line(placed.recipient_email);
  placed.recipient_phone := private.written_phone(placed.recipient_phone);
  placed := private.clean_order(placed);
  -- A retry that overtakes its first request waits for it.
  perform pg_advisory_xact_lock(hashtext('private.place_order_for'), hashtext(_order_id::text));
  -- Before any row, like everything that moves stock.
  perform private.lock_stock(false);
  select * into before from public.orders where id = _order_id;
  if found then
    if before.user_id is distinct from _customer_id
       or private.typed_of_order(to_jsonb(before)) <> private.typed_of_order(to_jsonb(placed))
       or exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                    full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                   where l is null or asked is null) then
      perform private.refuse('PT409', 'order_exists',
        format('This was placed as order %s before your last changes. Change it there.', before.number),
        jsonb_build_object('number', before.number));
    end if;
    return _order_id;
  end if;
  placed.id := coalesce(_order_id, gen_random_uuid());
  placed.user_id := _customer_id;
  if _customer_id is not null then
    -- Held until the end: a person who is being forgotten is forgotten with this order.
    perform from public.profiles p where p.id = _customer_id and p.email is not null for share;
    if not found then
      perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
    end if;
  end if;
  perform private.require_text('recipient_name', 'The name', placed.recipient_name, 200, true);
  perform private.require_text('recipient_phone', 'The phone number', placed.recipient_phone, 40, true);

  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 999) from unnest(_quantities) as quantity;
  perform private.lock_books(_book_ids);
  select array_agg(b.price order by l.place), coalesce(sum(b.price * l.quantity), 0), count(*) - count(b.id),
         bool_and(b.kind = 'digital'), bool_or(b.kind = 'digital')
    into prices, placed.total_amount, missing, is_digital, has_digital
    from unnest(_book_ids, _quantities) with ordinality as l (id, quantity, place) left join public.books b on b.id = l.id;
  if missing > 0 then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  elsif has_digital and _customer_id is null then
    perform private.refuse('PT409', 'account_needed', 'Digital titles are downloaded from the customer''s account. Please choose one.');
  end if;
  placed.delivery_fee := private.require_delivery_fee(placed.region, placed.delivery_method, placed.total_amount, is_digital);
  placed.total_amount := placed.total_amount + placed.delivery_fee;
  if placed.total_amount is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you place it.',
      to_char(placed.total_amount, 'FM999999990.00')), jsonb_build_object('total', placed.total_amount, 'delivery_fee', placed.delivery_fee));
  end if;
  perform private.require_number('total', 'The total', placed.total_amount, 0, 99999999.99);

  placed.status := 'pending';
  placed.stock_held := true;
  placed.terms_version := private.terms_version();
  perform private.insert_order(placed);
  perform private.fill_order(placed.id, _book_ids, _quantities, prices);
  perform private.queue_order_emails(placed.id);
  return placed.id;
end $$;
select private.expose('place_order_for', 'authenticated', 'service_role');
