-- What staff do with a quote: change its lines, prices, validity and note; send it; withdraw it. Each call names the
-- version that it is about. An accepted quote never changes.

/*
 * Staff: begins a quote for an account, for a customer without one (_user_id null), or, from an older quote (_copy_of), for its customer
 * and with its delivery and the books that are still sold, at today's prices; returns its id. _quote_id is chosen by the client, so that a retry begins nothing twice; refused if that
 * quote is for someone else: staff may have changed what they typed because the first response was lost.
 */
create function private.begin_quote(
  _quote_id uuid, _user_id uuid, _institution text, _contact_name text, _contact_email text, _contact_phone text,
  _copy_of uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  contact public.quotes;
  before public.quotes;
begin
  perform private.require_duty('schools');
  quote.delivery_method := 'deliver';
  if _copy_of is null and _user_id is not null then
    -- Whoever has a quote for an account sees the account.
    perform private.require_duty('people');
    select p.id, coalesce(nullif(p.delivery_method, 'download'), 'deliver'), p.region
      into quote.user_id, quote.delivery_method, quote.region
      from public.profiles p where p.id = _user_id and p.email is not null;
    if not found then
      perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
    end if;
  elsif _copy_of is not null then
    before := private.lock_quote(_copy_of, true);
    if before.institution is null then
      perform private.refuse('PT409', 'quote_without_customer', 'The details of this quote''s customer have been erased.');
    end if;
    quote.user_id := before.user_id;
    quote.delivery_method := before.delivery_method;
    quote.region := before.region;
  end if;
  if quote.user_id is not null then
    -- Held until the end, so that a person who is being forgotten is forgotten with this quote.
    perform from public.profiles p
     where p.id = quote.user_id and p.email is not null and private.merged_into(p.id) is null for share;
    if not found then
      perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
    end if;
  end if;
  contact := private.read_quote_contact(_institution, _contact_name, _contact_email, _contact_phone, quote.user_id is not null);
  -- A retry that overtakes its first request waits for it.
  perform pg_advisory_xact_lock(hashtext('private.begin_quote'), hashtext(_quote_id::text));
  select * into before from public.quotes where id = _quote_id;
  if found then
    if (before.user_id, before.institution, before.contact_name, before.contact_email, before.contact_phone)
       is distinct from (quote.user_id, contact.institution, contact.contact_name, contact.contact_email, contact.contact_phone) then
      perform private.refuse('PT409', 'quote_exists', 'This quote was already created, before your last changes. You''ll find it under Quotes.');
    end if;
    return _quote_id;
  end if;
  insert into public.quotes (id, user_id, institution, contact_name, contact_email, contact_phone, delivery_method, region, begun_by_staff)
  values (coalesce(_quote_id, gen_random_uuid()), quote.user_id, contact.institution, contact.contact_name, contact.contact_email,
          contact.contact_phone, quote.delivery_method, quote.region, true)
  returning * into quote;
  insert into public.quote_lines (quote_id, book_id, position, title, publisher, isbn, shop_price, unit_price, quantity)
  select quote.id, b.id, l.position, b.title, b.publisher, b.isbn, b.price, b.price, l.quantity
    from public.quote_lines l join public.books b on b.id = l.book_id
   where l.quote_id = _copy_of and b.for_sale >= 0;
  return quote.id;
end $$;
select private.expose('begin_quote', 'authenticated', 'service_role');

/* Locks a quote that staff may still change; refused when it was accepted, or is not the version that they saw. */
create function private.lock_open_quote(_quote_id uuid, _version int)
returns public.quotes language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes := private.lock_quote(_quote_id, true);
begin
  if quote.status = 'accepted' then
    perform private.refuse('PT409', 'quote_accepted', 'This quote has been accepted and can no longer be changed.');
  end if;
  perform private.require_quote_version(quote, _version);
  return quote;
end $$;

/* The lines as a table, refused as a whole when one of them is not a book, a quantity and a price. */
create function private.read_quote_lines(_lines jsonb)
returns table (book_id uuid, "position" int, quantity int, unit_price numeric)
language plpgsql immutable set search_path = '' as $$
begin
  if _lines is null or jsonb_typeof(_lines) <> 'array' or jsonb_array_length(_lines) not between 1 and 1000 then
    perform private.refuse('PT400', 'invalid_lines', 'A quote has between 1 and 1,000 lines.');
  end if;
  if exists (
    select from jsonb_array_elements(_lines) as line
     where case when jsonb_typeof(line) <> 'object' then true
                when line ->> 'book_id' ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' is not true then true
                when jsonb_typeof(line -> 'quantity') is distinct from 'number' then true
                when jsonb_typeof(line -> 'unit_price') is distinct from 'number' then true
                else (line ->> 'quantity')::numeric not between 1 and 9999
                  or (line ->> 'quantity')::numeric <> trunc((line ->> 'quantity')::numeric)
                  or (line ->> 'unit_price')::numeric not between 0 and 99999999.99
                  or (line ->> 'unit_price')::numeric <> round((line ->> 'unit_price')::numeric, 2) end
  ) then
    perform private.refuse('PT400', 'invalid_lines',
      'Each line of a quote needs a book, a quantity from 1 to 9,999 and a price from 0 in whole pesewas.');
  end if;
  return query
    select (line ->> 'book_id')::uuid, place::int, (line ->> 'quantity')::numeric::int, (line ->> 'unit_price')::numeric
      from jsonb_array_elements(_lines) with ordinality as l (line, place);
  if (select count(distinct lower(l ->> 'book_id')) from jsonb_array_elements(_lines) as l) < jsonb_array_length(_lines) then
    perform private.refuse('PT400', 'invalid_lines', 'A quote has one line for each book.');
  end if;
end $$;

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
    from private.read_quote_lines(_lines) as l join public.books b on b.id = l.book_id and b.for_sale >= 0
  on conflict (quote_id, book_id) do nothing;
  select jsonb_agg(l.book_id) into gone
    from private.read_quote_lines(_lines) as l
   where not exists (select from public.quote_lines q where q.quote_id = _quote_id and q.book_id = l.book_id);
  if gone is not null then
    perform private.refuse('PT404', 'book_not_found', 'A book of this quote is not available.',
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

/*
 * Staff: sends a quote to its customer if it is still this version; returns its reference, such as Q2026-0007.
 * Without a last day it is valid for 30 days. _delivery_fee is what staff saw of it, in cedis: refused if the fees have changed since.
 * The fee that is sent stays; an agreed one also where digital titles alone are quoted, whose delivery costs nothing.
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
         valid_until = coalesce(valid_until, private.today() + 30),
         delivery_fee = case delivery_pricing when 'agreed' then delivery_fee else fee end
   where id = _quote_id returning * into quote;
  if quote.contact_email is not null or quote.user_id is not null then
    perform private.queue_email('quote_sent', quote.id::text || ':' || quote.version, null);
  end if;
  return quote.reference;
end $$;
select private.expose('send_quote', 'authenticated', 'service_role');

/* Staff: withdraws a quote if it is still this version: its customer can no longer accept it, unless it is changed and sent again. */
create function private.withdraw_quote(_quote_id uuid, _version int)
returns void language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  perform private.require_duty('schools');
  quote := private.lock_open_quote(_quote_id, _version);
  if quote.status not in ('requested', 'sent') then
    perform private.refuse('PT409', 'quote_not_open', format('This quote is already %s.', quote.status),
      jsonb_build_object('status', quote.status));
  end if;
  update public.quotes set status = 'withdrawn' where id = _quote_id;
end $$;
select private.expose('withdraw_quote', 'authenticated', 'service_role');

/*
 * Staff: one quote, drafts included, or no row. lines as find_own_quote has them; order_number is null while there is no order, or
 * once it has been deleted. delivery_fee is by today's fees while a draft follows them, null while they need a region, and what was agreed
 * also where digital titles alone are quoted. account_email is that of the account that has it. has_links: whether a link opens it, or will, as soon as its email has left.
 */
create function private.admin_find_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, decided_at timestamptz,
  order_id uuid, order_number bigint, purchase_order_number text, lines jsonb, delivery_method text, region text,
  delivery_pricing text, delivery_fee numeric, begun_by_staff boolean, account_email text, has_links boolean
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  return query
    select q.id, q.reference, q.institution, q.contact_name, q.contact_email, q.contact_phone, q.message, q.note,
           private.quote_status(q.status, q.valid_until), q.valid_until, q.version, q.created_at, q.sent_at, q.decided_at,
           q.order_id, o.number, q.purchase_order_number, private.quote_lines_as_json(q.id, true), q.delivery_method, q.region,
           q.delivery_pricing, case q.delivery_pricing when 'agreed' then q.delivery_fee else private.quote_delivery_fee(q) end,
           q.begun_by_staff, p.email,
           q.user_id is null
             and (exists (select from private.quote_links l where l.quote_id = q.id)
                  or exists (select from public.outgoing_emails e
                              where e.kind = 'quote_sent' and e.event = q.id::text || ':' || q.version))
      from public.quotes q left join public.orders o on o.id = q.order_id left join public.profiles p on p.id = q.user_id
     where q.id = _quote_id;
end $$;
select private.expose('admin_find_quote', 'authenticated', 'service_role');
