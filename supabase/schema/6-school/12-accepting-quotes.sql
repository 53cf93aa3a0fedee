-- The customer's decision. Accepting makes a pending order at the quote's prices, through what placing an order from the cart
-- uses: the same limits, checks, locks and movements of stock. A quote becomes one order, however often it is accepted.

/*
 * Customers: places the order for one of their quotes, at its prices, which include delivery, if it is still this
 * version; returns the order's id. _order: {"shipping_address": …, "recipient_name": …, "region": …, …}, what people type and choose
 * of an order (private.read_order). The quote itself makes a retry safe: for a quote that they already accepted, this returns its
 * order. The purchase order number may be empty.
 */
create function private.accept_quote(_quote_id uuid, _version int, _purchase_order_number text, _order jsonb)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  placed public.orders := private.read_order(_order);
  purchase_order constant text := private.clean_line(_purchase_order_number);
  book_ids uuid[];
  quantities int[];
  prices numeric[];
  gone jsonb;
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
  select array_agg(l.book_id), array_agg(l.quantity), array_agg(l.unit_price), sum(l.unit_price * l.quantity),
         coalesce(bool_and(b.kind = 'digital'), false)
    into book_ids, quantities, prices, placed.total_amount, is_digital
    from public.quote_lines l left join public.books b on b.id = l.book_id where l.quote_id = _quote_id;
  -- The fee is in the quote's prices. Which region they are delivered to must be said like for any other order.
  perform private.require_delivery_fee(placed.region, placed.delivery_method, 0, is_digital);
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
