-- Staff begin quotes for an account, also from an older quote.

alter table public.quotes add column begun_by_staff boolean not null default false;

/*
 * Refuses more requests than any school would make. The caller holds the customer's lock, so that parallel requests
 * are counted too.
 */
create or replace function private.limit_quotes(_user_id uuid)
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

/* Whom a quote is for, as a quote with these columns alone, cleaned; refused when something is missing or malformed. */
create function private.read_quote_contact(_institution text, _contact_name text, _contact_email text, _contact_phone text)
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
  perform private.require_text('contact_email', 'The email address', quote.contact_email, 320, true);
  perform private.require_text('contact_phone', 'The phone number', quote.contact_phone, 40, true);
  perform private.require_contact('contact_email', quote.contact_email, 'contact_phone', quote.contact_phone);
  return quote;
end $$;

/*
 * Customers: requests a quote for the books in the cart, which stays as it is; returns the quote's id. _quote_id is chosen by
 * the client, so that a retry requests nothing twice. Without a way of delivery, the profile's and its region.
 */
create or replace function private.request_quote(
  _quote_id uuid, _institution text, _contact_name text, _contact_email text, _contact_phone text, _message text default null,
  _delivery_method text default null, _region text default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  asking constant uuid := auth.uid();
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
       from (select id, count(*) over () as found from public.quotes
              where user_id = $1 and (not begun_by_staff or number is not null)
              order by created_at desc, id desc' || private.paging(_page, _page_size) || ') as page
         join public.quotes q on q.id = page.id
      order by q.created_at desc, q.id desc'
    using auth.uid();
end $$;

/*
 * Staff: begins a quote for an account, or, from an older quote (_copy_of), for its customer and with its delivery and the books that are
 * still sold, at today's prices; returns its id. _quote_id is chosen by the client, so that a retry begins nothing twice; refused if that
 * quote is for someone else: staff may have changed what they typed because the first response was lost.
 */
create function private.begin_quote(
  _quote_id uuid, _user_id uuid, _institution text, _contact_name text, _contact_email text, _contact_phone text,
  _copy_of uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  before public.quotes;
begin
  perform private.require_duty('schools');
  quote := private.read_quote_contact(_institution, _contact_name, _contact_email, _contact_phone);
  if _copy_of is null then
    -- Whoever has a quote for an account sees the account.
    perform private.require_duty('people');
    select p.id, coalesce(nullif(p.delivery_method, 'download'), 'deliver'), p.region
      into quote.user_id, quote.delivery_method, quote.region
      from public.profiles p where p.id = _user_id;
    if not found then
      perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
    end if;
  else
    before := private.lock_quote(_copy_of, true);
    if before.institution is null then
      perform private.refuse('PT409', 'quote_without_customer', 'The details of this quote''s customer have been erased.');
    end if;
    quote.user_id := before.user_id;
    quote.delivery_method := before.delivery_method;
    quote.region := before.region;
  end if;
  -- A retry that overtakes its first request waits for it.
  perform pg_advisory_xact_lock(hashtext('private.begin_quote'), hashtext(_quote_id::text));
  select * into before from public.quotes where id = _quote_id;
  if found then
    if (before.user_id, before.institution, before.contact_name, before.contact_email, before.contact_phone)
       is distinct from (quote.user_id, quote.institution, quote.contact_name, quote.contact_email, quote.contact_phone) then
      perform private.refuse('PT409', 'quote_exists', 'This quote was begun before your last changes. You find it in the list.');
    end if;
    return _quote_id;
  end if;
  insert into public.quotes (id, user_id, institution, contact_name, contact_email, contact_phone, delivery_method, region, begun_by_staff)
  values (coalesce(_quote_id, gen_random_uuid()), quote.user_id, quote.institution, quote.contact_name, quote.contact_email,
          quote.contact_phone, quote.delivery_method, quote.region, true)
  returning * into quote;
  insert into public.quote_lines (quote_id, book_id, position, title, publisher, isbn, shop_price, unit_price, quantity)
  select quote.id, b.id, l.position, b.title, b.publisher, b.isbn, b.price, b.price, l.quantity
    from public.quote_lines l join public.books b on b.id = l.book_id
   where l.quote_id = _copy_of;
  return quote.id;
end $$;
select private.expose('begin_quote', 'authenticated', 'service_role');

/*
 * Staff: sends a quote to its customer if it is still this version; returns its reference, such as Q2026-0007.
 * Without a last day it is valid for 30 days. _delivery_fee is what staff saw of it, in cedis: refused if the fees have changed since.
 * The fee that is sent stays.
 */
create or replace function private.send_quote(_quote_id uuid, _version int, _delivery_fee numeric default null)
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
  if not exists (select from public.quote_lines where quote_id = _quote_id) then
    perform private.refuse('PT400', 'invalid_lines', 'A quote has between 1 and 1,000 lines.');
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
  delivery_pricing text, delivery_fee numeric, begun_by_staff boolean
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  return query
    select q.id, q.reference, q.institution, q.contact_name, q.contact_email, q.contact_phone, q.message, q.note,
           private.quote_status(q.status, q.valid_until), q.valid_until, q.version, q.created_at, q.sent_at, q.decided_at,
           q.order_id, o.number, q.purchase_order_number, private.quote_lines_as_json(q.id, true), q.delivery_method, q.region,
           q.delivery_pricing, private.quote_delivery_fee(q), q.begun_by_staff
      from public.quotes q left join public.orders o on o.id = q.order_id
     where q.id = _quote_id;
end $$;
select private.expose('admin_find_quote', 'authenticated', 'service_role');

drop function public.admin_list_quotes(text, text, text, boolean, int, int);
drop function private.admin_list_quotes(text, text, text, boolean, int, int);

/*
 * Staff: quotes with their totals in cedis, delivery included as far as its fee is known. _status one status, expired among them; _q part of the reference ('Q2026-0007'), the
 * institution, the contact's name, email or phone, or the purchase order number. _sort created_at (default), institution or
 * valid_until. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_quotes(
  _status text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, status text, valid_until date,
  created_at timestamptz, purchase_order_number text, copies bigint, total numeric, begun_by_staff boolean
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
            q.valid_until, q.created_at, q.purchase_order_number, l.copies, l.total + coalesce(private.quote_delivery_fee(q), 0), q.begun_by_staff
       from (select q.id from public.quotes q where ' || private.quote_conditions(_status, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.quotes q on q.id = page.id
        cross join lateral (select coalesce(sum(l.quantity), 0) as copies, coalesce(sum(l.unit_price * l.quantity), 0) as total
                              from public.quote_lines l where l.quote_id = q.id) as l
      order by ' || sorted;
end $$;
select private.expose('admin_list_quotes', 'authenticated', 'service_role');
