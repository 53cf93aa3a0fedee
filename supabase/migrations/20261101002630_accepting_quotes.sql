-- The customer's decision. Accepting makes a pending order at the quote's prices, through what placing an order from the cart
-- uses: the same limits, checks, locks and movements of stock. A quote becomes one order, however often it is accepted.

create function private.accept_quote(
  _quote_id uuid, _version int, _purchase_order_number text, _shipping_address text, _recipient_name text,
  _recipient_email text, _recipient_phone text, _delivery jsonb
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  delivery constant public.orders := private.read_delivery(_delivery);
  purchase_order constant text := private.clean_line(_purchase_order_number);
  book_ids uuid[];
  quantities int[];
  prices numeric[];
  total numeric;
  gone jsonb;
begin
  -- Before any row, like everything that moves stock; then the quote, the customer's limits and the books.
  perform private.lock_stock(false);
  quote := private.lock_quote(_quote_id, false);
  if quote.status = 'accepted' then return quote.order_id; end if;
  if quote.status <> 'sent' then
    perform private.refuse('PT409', 'quote_not_open',
      case quote.status when 'requested' then 'We are still preparing this quote.' else format('This quote was %s.', quote.status) end,
      jsonb_build_object('status', quote.status));
  end if;
  perform private.require_quote_version(quote, _version);
  if private.quote_status(quote.status, quote.valid_until) = 'expired' then
    perform private.refuse('PT409', 'quote_expired', 'This quote has expired. Ask us for a new one.');
  end if;
  perform private.require_text('purchase_order_number', 'The purchase order number', purchase_order, 60, true);
  perform private.require_recipient(_shipping_address, _recipient_name, _recipient_email, _recipient_phone);

  select array_agg(book_id), array_agg(quantity), array_agg(unit_price), sum(unit_price * quantity)
    into book_ids, quantities, prices, total
    from public.quote_lines where quote_id = _quote_id;
  quote.order_id := gen_random_uuid();
  perform private.limit_orders(quote.user_id, quote.order_id);
  perform private.lock_books(book_ids);
  select jsonb_agg(jsonb_build_object('book_id', l.book_id, 'title', l.title) order by l.position) into gone
    from public.quote_lines l
   where l.quote_id = _quote_id and not exists (select from public.books b where b.id = l.book_id);
  if gone is not null then
    perform private.refuse('PT409', 'books_not_sold',
      'No longer sold: ' || (select string_agg(line ->> 'title', ', ') from jsonb_array_elements(gone) as line) || '.',
      jsonb_build_object('lines', gone));
  end if;
  insert into public.orders (id, user_id, total_amount, status, shipping_address, recipient_name, recipient_email,
                             recipient_phone, region, landmark, digital_address, delivery_method, bus_station, delivery_note,
                             stock_held, created_at, updated_at)
  values (quote.order_id, quote.user_id, total, 'pending', _shipping_address, _recipient_name, _recipient_email,
          _recipient_phone, delivery.region, delivery.landmark, delivery.digital_address, delivery.delivery_method,
          delivery.bus_station, delivery.delivery_note, true, clock_timestamp(), clock_timestamp());
  perform private.fill_order(quote.order_id, book_ids, quantities, prices);
  perform private.queue_order_emails(quote.order_id);
  update public.quotes
     set status = 'accepted', decided_at = clock_timestamp(), order_id = quote.order_id, purchase_order_number = purchase_order
   where id = _quote_id;
  return quote.order_id;
end $$;
revoke execute on function private.accept_quote(uuid, int, text, text, text, text, text, jsonb) from public;
grant execute on function private.accept_quote(uuid, int, text, text, text, text, text, jsonb) to authenticated;

/*
 * Customers: places the order for one of their quotes, at its prices, which include delivery, if it is still this
 * version; returns the order's id. _delivery: {"region": …, "landmark": …, "digital_address": …, "delivery_method":
 * …, "bus_station": …, "delivery_note": …}. The quote itself makes a retry safe: for a quote that they already
 * accepted, this returns its order.
 */
create function public.accept_quote(
  _quote_id uuid, _version int, _purchase_order_number text, _shipping_address text, _recipient_name text,
  _recipient_email text, _recipient_phone text, _delivery jsonb default '{}'
) returns uuid language sql set search_path = '' as $$
  select private.accept_quote(_quote_id, _version, _purchase_order_number, _shipping_address, _recipient_name,
                              _recipient_email, _recipient_phone, _delivery)
$$;
revoke execute on function public.accept_quote(uuid, int, text, text, text, text, text, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.accept_quote(uuid, int, text, text, text, text, text, jsonb) to authenticated;

create function private.decline_quote(_quote_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  quote := private.lock_quote(_quote_id, false);
  if quote.status = 'declined' then return; end if;
  if quote.status not in ('requested', 'sent') then
    perform private.refuse('PT409', 'quote_not_open', format('This quote was %s.', quote.status),
      jsonb_build_object('status', quote.status));
  end if;
  update public.quotes set status = 'declined', decided_at = clock_timestamp() where id = _quote_id;
end $$;
revoke execute on function private.decline_quote(uuid) from public;
grant execute on function private.decline_quote(uuid) to authenticated;

/* Customers: declines one of their quotes, or withdraws a request; repeating it changes nothing. */
create function public.decline_quote(_quote_id uuid)
returns void language sql set search_path = '' as $$
  select private.decline_quote(_quote_id)
$$;
revoke execute on function public.decline_quote(uuid) from public, anon, authenticated, service_role;
grant execute on function public.decline_quote(uuid) to authenticated;
