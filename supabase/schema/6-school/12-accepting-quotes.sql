-- The customer's decision. Accepting makes a pending order at the quote's prices, through what placing an order from the cart
-- uses: the same limits, checks, locks and movements of stock. A quote becomes one order, however often it is accepted.

/*
 * Customers: places the order for one of their quotes, at its prices, if it is still this version; returns the order's id. Delivery costs
 * what the quote says, or, for another way or region, what the fees say. _total in cedis is what the customer saw, delivery included;
 * without it, they saw the prices of the books alone. _order: {"shipping_address": …, "recipient_name": …, "region": …, …}, what people type and choose
 * of an order (private.read_order). The quote itself makes a retry safe: for a quote that they already accepted, this returns its
 * order. The purchase order number may be empty.
 */
create function private.accept_quote(_quote_id uuid, _version int, _purchase_order_number text, _order jsonb, _total numeric default null)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  placed public.orders := private.read_order(_order);
  purchase_order constant text := private.clean_line(_purchase_order_number);
  book_ids uuid[];
  quantities int[];
  prices numeric[];
  gone jsonb;
  books_total numeric;
  is_digital boolean;
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
  perform private.require_text('purchase_order_number', 'The purchase order number', purchase_order, 60);
  placed.customer_reference := coalesce(purchase_order, placed.customer_reference);
  placed := private.clean_order(placed);
  select array_agg(l.book_id), array_agg(l.quantity), array_agg(l.unit_price) into book_ids, quantities, prices
    from public.quote_lines l where l.quote_id = _quote_id;
  books_total := private.quote_books_total(_quote_id);
  is_digital := private.is_digital_quote(_quote_id);
  -- Whatever it costs: which region it is delivered to must be said like for any other order.
  placed.delivery_fee := private.require_delivery_fee(placed.region, placed.delivery_method, books_total, is_digital);
  if not is_digital then
    placed.delivery_fee := coalesce(private.quoted_delivery_fee(quote, placed.delivery_method, placed.region), placed.delivery_fee);
  end if;
  placed.total_amount := books_total + placed.delivery_fee;
  if placed.total_amount <> coalesce(_total, books_total) then
    perform private.refuse('PT409', 'total_changed', format('With delivery, this order costs GH₵%s. Please check it before you accept.',
      to_char(placed.total_amount, 'FM999999990.00')), jsonb_build_object('total', placed.total_amount, 'delivery_fee', placed.delivery_fee));
  end if;
  perform private.require_number('total', 'The total', placed.total_amount, 0, 99999999.99);
  placed.id := gen_random_uuid();
  placed.user_id := quote.user_id;
  placed.status := 'pending';
  placed.stock_held := true;
  placed.terms_version := private.terms_version();
  perform private.limit_orders(placed.user_id, placed.id);
  perform private.lock_books(book_ids);
  select jsonb_agg(jsonb_build_object('book_id', l.book_id, 'title', l.title) order by l.position) into gone
    from public.quote_lines l
   where l.quote_id = _quote_id and not exists (select from public.books b where b.id = l.book_id);
  if gone is not null then
    perform private.refuse('PT409', 'books_not_sold',
      'No longer sold: ' || (select string_agg(line ->> 'title', ', ') from jsonb_array_elements(gone) as line) || '.',
      jsonb_build_object('lines', gone));
  end if;
  perform private.insert_order(placed);
  perform private.fill_order(placed.id, book_ids, quantities, prices);
  perform private.queue_order_emails(placed.id);
  update public.quotes
     set status = 'accepted', decided_at = clock_timestamp(), order_id = placed.id, purchase_order_number = purchase_order
   where id = _quote_id;
  return placed.id;
end $$;
select private.expose('accept_quote', 'authenticated');

/* Customers: declines one of their quotes, or withdraws a request; repeating it changes nothing. */
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
select private.expose('decline_quote', 'authenticated');
