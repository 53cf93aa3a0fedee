-- A quote says how and where it is delivered and what that costs: a line of its own, by the fees, agreed, or included in the prices.

alter table public.quotes
  add column delivery_method text not null default 'deliver',
  add column region text,
  -- The quotes so far said that delivery is free: their prices include it.
  add column delivery_pricing text not null default 'included',
  add column delivery_fee numeric(10, 2) default 0;
alter table public.quotes
  alter column delivery_pricing set default 'fees',
  alter column delivery_fee drop default,
  drop constraint quotes_sent_is_complete,
  add constraint quotes_sent_is_complete check (
    status not in ('sent', 'accepted')
    or (sent_at is not null and number is not null and valid_until is not null and delivery_fee is not null)
  ),
  add constraint quotes_delivery_is_sane check (
    delivery_method in ('deliver', 'collect', 'bus_station') and coalesce(region = any (private.regions()), true)
    and case delivery_pricing when 'fees' then true when 'agreed' then delivery_fee is not null
                              when 'included' then coalesce(delivery_fee = 0, false) else false end
    and coalesce(delivery_fee between 0 and 99999.99, true)
  );

/* Whether everything in a quote is digital, and nothing is delivered; books that were deleted count as what they were. */
create function private.is_digital_quote(_quote_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce(bool_and(coalesce(b.kind = 'digital', g.digital_by is not null)), false)
    from public.quote_lines l
    left join public.books b on b.id = l.book_id
    left join private.gone_books g on g.id = l.book_id
   where l.quote_id = _quote_id
$$;

/* What the books of a quote cost at its prices, in cedis. */
create function private.quote_books_total(_quote_id uuid)
returns numeric language sql stable security definer set search_path = '' as $$
  select coalesce(sum(unit_price * quantity), 0) from public.quote_lines where quote_id = _quote_id
$$;

/* What its delivery costs, in cedis: for a draft by today's fees. Null while they depend on a region that is missing. */
create function private.quote_delivery_fee(_quote public.quotes)
returns numeric language sql stable security definer set search_path = '' as $$
  select case when private.is_digital_quote(_quote.id) then 0
              else coalesce(_quote.delivery_fee, private.delivery_fee(_quote.region, _quote.delivery_method,
                                                                      private.quote_books_total(_quote.id))) end
$$;

/* The way of delivery as people read it: digital titles alone are downloaded. */
create function private.quote_delivery_method(_quote public.quotes)
returns text language sql stable security definer set search_path = '' as $$
  select case when private.is_digital_quote(_quote.id) then 'download' else _quote.delivery_method end
$$;

/*
 * What a sent quote says delivery by this method to this region costs; null for a choice that it says nothing of, for which the fees
 * decide. A quote without a region is for all of them, and prices that include delivery do so wherever it goes.
 */
create function private.quoted_delivery_fee(_quote public.quotes, _method text, _region text)
returns numeric language sql immutable set search_path = '' as $$
  select case when _quote.delivery_pricing = 'included'
                or _method = _quote.delivery_method
                   and (_method = 'collect' or _quote.region is null or _quote.region is not distinct from nullif(_region, ''))
              then _quote.delivery_fee end
$$;

/* Refuses a way or a region that no quote is delivered by or to. */
create function private.require_quote_delivery(_method text, _region text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  perform private.require_choice('delivery_method', 'The way of delivery', coalesce(_method, ''), '{deliver,collect,bus_station}'),
    private.require_choice('region', 'The region', _region, private.regions());
end $$;

drop function public.request_quote(uuid, text, text, text, text, text);
drop function private.request_quote(uuid, text, text, text, text, text);

/*
 * Customers: requests a quote for the books in the cart, which stays as it is; returns the quote's id. _quote_id is chosen by
 * the client, so that a retry requests nothing twice. Without a way of delivery, the profile's and its region.
 */
create function private.request_quote(
  _quote_id uuid, _institution text, _contact_name text, _contact_email text, _contact_phone text, _message text default null,
  _delivery_method text default null, _region text default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  asking constant uuid := auth.uid();
  quote public.quotes;
begin
  quote.institution := private.clean_line(_institution);
  quote.contact_name := private.clean_line(_contact_name);
  quote.contact_email := private.clean_line(_contact_email);
  quote.contact_phone := private.written_phone(_contact_phone);
  quote.message := private.clean_text(_message);
  perform private.require_text('institution', 'The institution', quote.institution, 200, true);
  perform private.require_text('contact_name', 'The contact person', quote.contact_name, 200, true);
  perform private.require_text('contact_email', 'The email address', quote.contact_email, 320, true);
  perform private.require_text('contact_phone', 'The phone number', quote.contact_phone, 40, true);
  perform private.require_text('message', 'The message', quote.message, 2000);
  perform private.require_contact('contact_email', quote.contact_email, 'contact_phone', quote.contact_phone);
  select coalesce(_delivery_method, nullif(p.delivery_method, 'download'), 'deliver'),
         case when _delivery_method is null then p.region else nullif(_region, '') end
    into quote.delivery_method, quote.region
    from public.profiles p where p.id = asking;
  if not found then
    perform private.refuse('PT403', 'account_needed', 'Please sign in to request a quote.');
  end if;
  perform private.require_quote_delivery(quote.delivery_method, quote.region);

  perform pg_advisory_xact_lock(hashtext('public.quotes'), hashtext(asking::text));
  -- A retry of a request that arrived.
  if exists (select from public.quotes where id = _quote_id and user_id = asking) then return _quote_id; end if;
  perform private.limit_quotes(asking);
  insert into public.quotes (id, user_id, institution, contact_name, contact_email, contact_phone, message, delivery_method, region)
  values (coalesce(_quote_id, gen_random_uuid()), asking, quote.institution, quote.contact_name, quote.contact_email,
          quote.contact_phone, quote.message, quote.delivery_method, quote.region)
  returning * into quote;
  insert into public.quote_lines (quote_id, book_id, position, requested, title, publisher, isbn, shop_price, unit_price, quantity)
  select quote.id, b.id, row_number() over (order by c.created_at, c.id), true, b.title, b.publisher, b.isbn, b.price, b.price,
         c.quantity
    from public.cart_items c join public.books b on b.id = c.book_id
   where c.user_id = asking;
  if not found then
    perform private.refuse('PT409', 'cart_empty', 'Your cart is empty.');
  end if;
  perform private.check_quote_total(quote.id);
  perform private.queue_email('quote_requested', quote.id::text || ':' || quote.version, null);
  return quote.id;
end $$;
select private.expose('request_quote', 'authenticated');

/*
 * Customers: a page of their own quotes, newest first; found is how many they have in all. The total in cedis, delivery included, and the
 * validity are null while the quote is being prepared.
 */
create or replace function private.list_own_quotes(_page int default 1, _page_size int default 50)
returns table (
  id uuid, reference text, institution text, status text, valid_until date, created_at timestamptz, order_id uuid,
  copies bigint, total numeric, found bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  return query execute
    'select q.id, q.reference, q.institution, private.quote_status(q.status, q.valid_until),
            case when q.sent_at is not null then q.valid_until end, q.created_at, q.order_id,
            (select sum(l.quantity) from public.quote_lines l where l.quote_id = q.id),
            case when q.sent_at is not null then
              private.quote_books_total(q.id) + private.quote_delivery_fee(q) end,
            page.found
       from (select id, count(*) over () as found from public.quotes where user_id = $1
              order by created_at desc, id desc' || private.paging(_page, _page_size) || ') as page
         join public.quotes q on q.id = page.id
      order by q.created_at desc, q.id desc'
    using auth.uid();
end $$;

drop function public.find_own_quote(uuid);
drop function private.find_own_quote(uuid);

/*
 * Customers: one of their own quotes, or no row. lines: [{"book_id", "title", "publisher", "isbn", "requested", "quantity",
 * "shop_price", "unit_price", "stock", "image_url", "subject", "course"}]. unit_price, valid_until, note and delivery_fee are null while
 * the quote is being prepared; stock is null for a book that is no longer sold. shop is the seller of the day on which it was sent.
 */
create function private.find_own_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, order_id uuid,
  purchase_order_number text, lines jsonb, shop jsonb, delivery_method text, region text, delivery_pricing text,
  delivery_fee numeric
) language sql stable security definer set search_path = '' as $$
  select q.id, q.reference, q.institution, q.contact_name, q.contact_email, q.contact_phone, q.message,
         case when q.sent_at is not null then q.note end, private.quote_status(q.status, q.valid_until),
         case when q.sent_at is not null then q.valid_until end, q.version, q.created_at, q.sent_at, q.order_id,
         q.purchase_order_number, private.quote_lines_as_json(q.id, q.sent_at is not null),
         private.seller_at(q.sent_at), private.quote_delivery_method(q), q.region, q.delivery_pricing,
         case when q.sent_at is not null then private.quote_delivery_fee(q) end
    from public.quotes q
   where q.id = _quote_id and q.user_id = auth.uid()
$$;
select private.expose('find_own_quote', 'authenticated');

/* How staff say that a quote is delivered, as a quote with these columns alone; refused when it isn't one of the ways. */
create function private.read_quote_delivery(_delivery jsonb)
returns public.quotes language plpgsql immutable set search_path = '' as $$
declare
  quote public.quotes;
  fee constant numeric := case when jsonb_typeof(_delivery -> 'fee') = 'number' then (_delivery ->> 'fee')::numeric end;
begin
  quote.delivery_method := _delivery ->> 'method';
  quote.region := nullif(_delivery ->> 'region', '');
  quote.delivery_pricing := _delivery ->> 'pricing';
  perform private.require_quote_delivery(quote.delivery_method, quote.region);
  perform private.require_choice('delivery_pricing', 'The price of delivery', coalesce(quote.delivery_pricing, ''), '{fees,agreed,included}');
  if quote.delivery_pricing = 'agreed' then
    perform private.require_number('delivery_fee', 'The price of delivery', fee, 0, 99999.99);
    perform private.require_pesewas('delivery_fee', 'The price of delivery', fee);
    quote.delivery_fee := fee;
  end if;
  return quote;
end $$;

drop function public.update_quote(uuid, int, jsonb, date, text);
drop function private.update_quote(uuid, int, jsonb, date, text);

/*
 * Staff: replaces a quote's lines, validity and note if it is still this version, and takes it back until it is sent again;
 * returns its new version. _lines: [{"book_id": …, "quantity": 1 to 9999, "unit_price": cedis}], in their order, one a book. A
 * line that stays keeps its title and the shop's price from when it was added. _delivery: {"method": "deliver", "collect" or
 * "bus_station", "region", "pricing": "fees", "agreed" or "included", "fee": cedis, if agreed}; without it, delivery stays as it was.
 */
create function private.update_quote(
  _quote_id uuid, _version int, _lines jsonb, _valid_until date default null, _note text default null,
  _delivery jsonb default null
)
returns int language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  delivery public.quotes;
  gone jsonb;
begin
  perform private.require_duty('schools');
  quote := private.lock_open_quote(_quote_id, _version);
  delivery := case when _delivery is null then quote else private.read_quote_delivery(_delivery) end;
  quote.note := private.clean_text(_note);
  perform private.require_text('note', 'The note', quote.note, 2000);
  if _valid_until not between private.today() and private.today() + 366 then
    perform private.refuse('PT400', 'invalid_field', 'The last day must be within the next 366 days.',
      jsonb_build_object('field', 'valid_until', 'rule', 'range', 'min', private.today(), 'max', private.today() + 366));
  end if;

  delete from public.quote_lines
   where quote_id = _quote_id and book_id not in (select l.book_id from private.read_quote_lines(_lines) as l);
  update public.quote_lines q
     set position = l.position, quantity = l.quantity, unit_price = l.unit_price
    from private.read_quote_lines(_lines) as l
   where q.quote_id = _quote_id and q.book_id = l.book_id
     and (q.position, q.quantity, q.unit_price) is distinct from (l.position, l.quantity, l.unit_price);
  insert into public.quote_lines (quote_id, book_id, position, title, publisher, isbn, shop_price, unit_price, quantity)
  select _quote_id, b.id, l.position, b.title, b.publisher, b.isbn, b.price, l.unit_price, l.quantity
    from private.read_quote_lines(_lines) as l join public.books b on b.id = l.book_id
  on conflict (quote_id, book_id) do nothing;
  select jsonb_agg(l.book_id) into gone
    from private.read_quote_lines(_lines) as l
   where not exists (select from public.quote_lines q where q.quote_id = _quote_id and q.book_id = l.book_id);
  if gone is not null then
    perform private.refuse('PT404', 'book_not_found', 'A book of this quote is no longer available.',
      jsonb_build_object('book_id', gone -> 0));
  end if;
  perform private.check_quote_total(_quote_id);

  update public.quotes
     set status = 'requested', sent_at = null, decided_at = null, valid_until = _valid_until, note = quote.note,
         delivery_method = delivery.delivery_method, region = delivery.region, delivery_pricing = delivery.delivery_pricing,
         delivery_fee = case delivery.delivery_pricing when 'agreed' then delivery.delivery_fee when 'included' then 0 end
   where id = _quote_id returning * into quote;
  return quote.version;
end $$;
select private.expose('update_quote', 'authenticated', 'service_role');

drop function public.send_quote(uuid, int);
drop function private.send_quote(uuid, int);

/*
 * Staff: sends a quote to its customer if it is still this version; returns its reference, such as Q2026-0007.
 * Without a last day it is valid for 30 days. _delivery_fee is what staff saw of it, in cedis: refused if the fees have changed since.
 * The fee that is sent stays.
 */
create function private.send_quote(_quote_id uuid, _version int, _delivery_fee numeric default null)
returns text language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  this_year constant int := extract(year from private.today());
  fee numeric;
begin
  perform private.require_duty('schools');
  quote := private.lock_open_quote(_quote_id, _version);
  if quote.status <> 'requested' then
    perform private.refuse('PT409', 'quote_not_requested', format('This quote is %s. Save a change before you send it again.', quote.status),
      jsonb_build_object('status', quote.status));
  end if;
  if quote.institution is null then
    perform private.refuse('PT409', 'quote_without_customer', 'This quote can''t be sent: its customer''s details have been erased.');
  end if;
  if quote.valid_until < private.today() then
    perform private.refuse('PT409', 'quote_expired', 'The last day of this quote has passed. Choose a later one.');
  end if;
  fee := private.quote_delivery_fee(quote);
  if fee is null then
    perform private.refuse('PT400', 'invalid_field', 'Please choose a region.', jsonb_build_object('field', 'region', 'rule', 'required'));
  elsif fee <> _delivery_fee then
    perform private.refuse('PT409', 'total_changed', format('Delivery now costs GH₵%s. Check the quote before you send it.',
      to_char(fee, 'FM999990.00')), jsonb_build_object('delivery_fee', fee));
  end if;
  perform private.require_number('total', 'The total', private.quote_books_total(_quote_id) + fee, 0, 99999999.99);
  if quote.number is null then
    quote.year := this_year;
    quote.number := private.next_yearly_number('quotes', this_year);
  end if;
  update public.quotes
     set status = 'sent', sent_at = clock_timestamp(), year = quote.year, number = quote.number,
         valid_until = coalesce(valid_until, private.today() + 30), delivery_fee = fee
   where id = _quote_id returning * into quote;
  perform private.queue_email('quote_sent', quote.id::text || ':' || quote.version, null);
  return quote.reference;
end $$;
select private.expose('send_quote', 'authenticated', 'service_role');

drop function public.admin_find_quote(uuid);
drop function private.admin_find_quote(uuid);

/*
 * Staff: one quote, drafts included, or no row. lines as find_own_quote has them; order_number is null while there is no order, or
 * once it has been deleted. delivery_fee is by today's fees while a draft follows them, and null while they need a region.
 */
create function private.admin_find_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, decided_at timestamptz,
  order_id uuid, order_number bigint, purchase_order_number text, lines jsonb, delivery_method text, region text,
  delivery_pricing text, delivery_fee numeric
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  return query
    select q.id, q.reference, q.institution, q.contact_name, q.contact_email, q.contact_phone, q.message, q.note,
           private.quote_status(q.status, q.valid_until), q.valid_until, q.version, q.created_at, q.sent_at, q.decided_at,
           q.order_id, o.number, q.purchase_order_number, private.quote_lines_as_json(q.id, true), q.delivery_method, q.region,
           q.delivery_pricing, private.quote_delivery_fee(q)
      from public.quotes q left join public.orders o on o.id = q.order_id
     where q.id = _quote_id;
end $$;
select private.expose('admin_find_quote', 'authenticated', 'service_role');

drop function public.accept_quote(uuid, int, text, jsonb);
drop function private.accept_quote(uuid, int, text, jsonb);

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

/*
 * Staff: quotes with their totals in cedis, delivery included as far as its fee is known. _status one status, expired among them; _q part of the reference ('Q2026-0007'), the
 * institution, the contact's name, email or phone, or the purchase order number. _sort created_at (default), institution or
 * valid_until. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create or replace function private.admin_list_quotes(
  _status text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, status text, valid_until date,
  created_at timestamptz, purchase_order_number text, copies bigint, total numeric
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'institution' then case when _descending then 'q.institution desc nulls last, q.id desc' else 'q.institution asc nulls last, q.id asc' end
    when 'valid_until' then case when _descending then 'q.valid_until desc nulls last, q.id desc' else 'q.valid_until asc nulls last, q.id asc' end
    else case when coalesce(_descending, true) then 'q.created_at desc, q.id desc' else 'q.created_at asc, q.id asc' end end;
begin
  perform private.require_duty('schools');
  -- More than a screen shows.
  if _page_size > 200 then perform private.require_duty('exports'); end if;
  return query execute
    'select q.id, q.reference, q.institution, q.contact_name, q.contact_email, private.quote_status(q.status, q.valid_until),
            q.valid_until, q.created_at, q.purchase_order_number, l.copies, l.total + coalesce(private.quote_delivery_fee(q), 0)
       from (select q.id from public.quotes q where ' || private.quote_conditions(_status, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.quotes q on q.id = page.id
        cross join lateral (select sum(l.quantity) as copies, sum(l.unit_price * l.quantity) as total
                              from public.quote_lines l where l.quote_id = q.id) as l
      order by ' || sorted;
end $$;

/*
 * What delivery of an order costs with books of this total, in cedis: the fees' rule, but not where it was agreed in the quote that the
 * order came from, or is included in its prices. Refuses what can't be delivered, whatever its fee.
 */
create function private.changed_delivery_fee(_order public.orders, _books_total numeric, _is_digital boolean)
returns numeric language plpgsql stable security definer set search_path = '' as $$
declare
  fee constant numeric := private.order_delivery_fee(_order.region, _order.delivery_method, _books_total, _is_digital);
begin
  if fee is null or exists (
    select from public.quotes q
     where q.order_id = _order.id and q.delivery_pricing <> 'fees'
       and private.quoted_delivery_fee(q, _order.delivery_method, _order.region) is not null
  ) then
    return _order.delivery_fee;
  end if;
  return fee;
end $$;

/* Staff: what delivery of an order costs with books of this total, in cedis, before it is changed. */
create function private.find_changed_delivery_fee(_order_id uuid, _books_total numeric, _is_digital boolean)
returns numeric language plpgsql stable security definer set search_path = '' as $$
declare
  changed public.orders;
begin
  perform private.require_duty('orders');
  select * into changed from public.orders where id = _order_id;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  return private.changed_delivery_fee(changed, _books_total, _is_digital);
end $$;
select private.expose('find_changed_delivery_fee', 'authenticated', 'service_role');

/*
 * Staff: replaces the books of a pending or processing order: 1 to 500 different ones, 1 to 9,999 copies of each. Books already ordered
 * keep their price, new ones get the current price. The delivery fee is recalculated, unless a quote agreed on it or includes it in its
 * prices. Refused if the order has changed since _updated_at, or if its new total is not _total (in cedis, delivery
 * included). Repeating the call changes nothing.
 */
create or replace function private.change_order(_order_id uuid, _updated_at timestamptz, _book_ids uuid[], _quantities int[], _total numeric)
returns void language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  changed public.orders;
  lines jsonb;
  known int;
  books_total numeric;
  fee numeric;
  is_digital boolean;
  adds_digital boolean;
begin
  perform private.require_duty('orders');
  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 9999) from unnest(_quantities) as quantity;
  perform private.lock_stock(true);
  changed := private.lock_open_order(_order_id);
  if exists (select from public.order_items i where i.order_id = _order_id and i.sold_book_id is null) then
    perform private.refuse('PT409', 'line_without_book', 'A line of this order doesn''t say which book it is, so its books can''t be changed.');
  elsif not exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                   full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                  where l is null or asked is null) then
    return;
  elsif changed.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'order_changed', 'This order has changed since you opened it. Check it before you change it.');
  end if;
  perform private.lock_books(_book_ids);
  select count(coalesce(i.sold_book_id, b.id)), sum(coalesce(i.price, b.price) * asked.quantity),
         bool_and(coalesce(b.kind = 'digital', g.digital_by is not null)), bool_or(b.kind = 'digital' and i.id is null),
         jsonb_agg(jsonb_build_object('id', i.id, 'sold_book_id', asked.id, 'quantity', asked.quantity, 'price', coalesce(i.price, b.price),
                                      'title', coalesce(i.title, b.title), 'publisher', case when i.id is null then b.publisher else i.publisher end,
                                      'isbn', case when i.id is null then b.isbn else i.isbn end))
    into known, books_total, is_digital, adds_digital, lines
    from unnest(_book_ids, _quantities) as asked (id, quantity)
    left join public.order_items i on i.order_id = _order_id and i.sold_book_id = asked.id
    left join public.books b on b.id = asked.id
    left join private.gone_books g on g.id = asked.id;
  if known < titles then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  elsif adds_digital and changed.user_id is null then
    perform private.refuse('PT409', 'account_needed', 'Digital titles are downloaded from the customer''s account, and this order belongs to none.');
  end if;
  fee := private.changed_delivery_fee(changed, books_total, is_digital);
  if books_total + fee is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you change it.',
      to_char(books_total + fee, 'FM999999990.00')), jsonb_build_object('total', books_total + fee, 'delivery_fee', fee));
  end if;
  perform private.write_order_lines(changed, lines, fee);
end $$;

/*
 * What an email about a quote says of it, in cedis; null for any other email, and when there is nothing to say any more: the quote was
 * changed, decided or forgotten since, or its customer has cancelled the request.
 */
create or replace function private.email_quote(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', q.id, 'reference', q.reference, 'valid_until', q.valid_until, 'institution', q.institution, 'name', q.contact_name,
    'email', q.contact_email, 'phone', q.contact_phone, 'message', q.message, 'note', q.note,
    'lines', private.quote_lines_as_json(q.id, true), 'delivery_method', private.quote_delivery_method(q), 'region', q.region,
    'delivery_pricing', q.delivery_pricing, 'delivery_fee', private.quote_delivery_fee(q))
    from public.quotes q
   where private.email_topic(_email.kind) = 'quote' and q.institution is not null
     and q.status = case _email.kind when 'quote_sent' then 'sent' else 'requested' end
     and q.id::text || ':' || q.version = private.email_event(_email)
$$;
