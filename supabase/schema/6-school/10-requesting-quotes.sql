-- Requesting a quote, and what customers read of their own quotes: their request immediately; prices, validity and note once sent.

/*
 * Refuses more requests than any school would make. The caller holds the customer's lock, so that parallel requests
 * are counted too.
 */
create function private.limit_quotes(_user_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  earliest timestamptz;
begin
  select created_at into earliest from public.quotes
   where user_id = _user_id and not begun_by_staff and created_at > clock_timestamp() - interval '1 day'
   order by created_at desc offset 19 limit 1;
  if found then
    perform private.refuse('PT429', 'too_many_quotes', 'You have requested 20 quotes within a day. Please try again later.',
      jsonb_build_object('limit', 20, 'retry_after_seconds',
        greatest(1, ceil(extract(epoch from earliest + interval '1 day' - clock_timestamp())))::int));
  end if;
end $$;

/* Refuses a total that no order could have. */
create function private.check_quote_total(_quote_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_number('total', 'The total', sum(greatest(unit_price, shop_price) * quantity), 0, 99999999.99)
     from public.quote_lines where quote_id = _quote_id;
end $$;

/*
 * Whom a quote is for, as a quote with these columns alone, cleaned; refused when something is missing or malformed. Only a customer
 * without an account may have no email address.
 */
create function private.read_quote_contact(
  _institution text, _contact_name text, _contact_email text, _contact_phone text, _has_account boolean default true
)
returns public.quotes language plpgsql immutable set search_path = '' as $$
declare
  quote public.quotes;
begin
  quote.institution := private.clean_line(_institution);
  quote.contact_name := private.clean_line(_contact_name);
  quote.contact_email := private.clean_line(_contact_email);
  quote.contact_phone := private.written_phone(_contact_phone);
  perform private.require_text('institution', 'The institution', quote.institution, 200, true);
  perform private.require_text('contact_name', 'The contact person', quote.contact_name, 200, true);
  perform private.require_text('contact_email', 'The email address', quote.contact_email, 320, _has_account);
  perform private.require_text('contact_phone', 'The phone number', quote.contact_phone, 40, true);
  perform private.require_contact('contact_email', quote.contact_email, 'contact_phone', quote.contact_phone);
  return quote;
end $$;

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
  unavailable text;
  quote public.quotes := private.read_quote_contact(_institution, _contact_name, _contact_email, _contact_phone);
begin
  quote.message := private.clean_text(_message);
  perform private.require_text('message', 'The message', quote.message, 2000);
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
  select string_agg(b.title, ', ' order by c.created_at, c.id) into unavailable
    from public.cart_items c join public.books b on b.id = c.book_id where c.user_id = asking and b.for_sale < 0;
  if unavailable is not null then
    perform private.refuse('PT409', 'not_for_sale', format('These can''t be ordered: %s. Please take them out of your cart.', unavailable));
  end if;
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
create function private.list_own_quotes(_page int default 1, _page_size int default 50)
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
       from (select id, count(*) over () as found from public.quotes
              where user_id = $1 and (not begun_by_staff or number is not null)
              order by created_at desc, id desc' || private.paging(_page, _page_size) || ') as page
         join public.quotes q on q.id = page.id
      order by q.created_at desc, q.id desc'
    using auth.uid();
end $$;
select private.expose('list_own_quotes', 'authenticated');

/* A quote as its customer reads it: see find_own_quote. */
create function private.quote_as_sent(_quote public.quotes)
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
    from (select _quote.*) as q
$$;

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
  select sent.* from public.quotes q cross join lateral private.quote_as_sent(q) as sent
   where q.id = _quote_id and q.user_id = auth.uid() and (not q.begun_by_staff or q.number is not null)
$$;
select private.expose('find_own_quote', 'authenticated');
