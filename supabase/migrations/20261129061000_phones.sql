-- Phone numbers are read in one way, stored and shown in one form, and found however they are written.

/* The pattern for a typed phone number or part of one: digits alone, without the leading zeros or Ghana's code, of which one replaces the other. */
create or replace function private.phone_pattern(_q text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select '%' || digits || '%'
  from private.plain_code(left(_q, 200)) as typed,
       ltrim(regexp_replace(regexp_replace(regexp_replace(typed, '[^+0-9]', '', 'g'), '^(\+|00)233|^233(?=0?[0-9]{9}$)', ''), '[^0-9]', '', 'g'), '0') as digits
  where typed ~ '^[+0-9() ./-]+$' and length(digits) between 4 and 15
$$;

/*
 * A phone number as it is stored and shown: '+233 24 412 3456' for a number of Ghana, however it was typed, '+442079460018' for one with
 * another country's code, and the bare digits of any other. Null for anything else, and for what nobody can have: one digit repeated, or a
 * country code that begins with 0.
 */
create function private.phone(_text text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  dialled text := regexp_replace(regexp_replace(private.plain_code(_text), '^tel(ephone)?[.:]+', '', 'i'), '[=''"]+', '', 'g');
  national text;
begin
  dialled := translate(regexp_replace(dialled, '^([0-9]+)\.0$', '\1'), ' ().-/', '');
  dialled := regexp_replace(dialled, '^00', '+');
  if dialled !~ '^\+?[0-9]{6,15}$' or dialled ~ '^\+?([0-9])\1*$' or dialled ~ '^\+0' then return null; end if;
  -- Nine digits after the country's code or the leading 0, which spreadsheets drop.
  national := coalesce(substring(dialled from '^\+?2330?([1-9][0-9]{8})$'), substring(dialled from '^0([1-9][0-9]{8})$'),
                       substring(dialled from '^[235][0-9]{8}$'));
  return case when national is null then dialled
              else format('+233 %s %s %s', left(national, 2), substr(national, 3, 3), substr(national, 6)) end;
end $$;
grant execute on function private.phone to authenticated, service_role;

create or replace function private.is_phone(_text text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select private.phone(_text) is not null
$$;

/* A number in the form in which it is stored; a text that is none stays as it is, for require_contact to refuse, or as it was before. */
create function private.written_phone(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select coalesce(private.phone(_text), private.clean_line(_text))
$$;
grant execute on function private.written_phone to authenticated, service_role;

/* The last nine digits, which are the same however a number of Ghana is written. */
create function private.phone_key(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select right(regexp_replace(_text, '[^0-9]', '', 'g'), 9)
$$;

/* Whether two phone numbers are the same, however they are written. */
create or replace function private.is_same_phone(_one text, _other text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select private.is_phone(_one) and private.is_phone(_other)
     and private.phone_key(private.phone(_one)) = private.phone_key(private.phone(_other))
$$;

/* The text of a setting, or one of its lines, as it is stored. */
create or replace function private.checked_setting_text(_name text, _value jsonb, _kind text)
returns text language plpgsql immutable set search_path = '' as $$
declare
  rule constant jsonb := private.setting_rules() -> _name;
  cleaned text;
begin
  if jsonb_typeof(_value) is distinct from 'string' then perform private.refuse_setting(_name, 'type', '%s must be a text.'); end if;
  cleaned := coalesce(case when _kind = 'text' then private.clean_text(_value #>> '{}') else private.clean_line(_value #>> '{}') end, '');
  if length(cleaned) > (rule ->> 'max')::int then
    perform private.refuse_setting(_name, 'max_length', '%s is too long (at most ' || (rule ->> 'max') || ' characters'
      || case when _kind in ('line', 'text', 'email', 'phone', 'url') then ').' else ' each).' end);
  elsif cleaned = '' then
    return '';
  elsif _kind = 'email' and not private.is_email(cleaned) then
    perform private.refuse_setting(_name, 'email', '%s must be an email address, such as orders@shop.example.');
  elsif _kind in ('phone', 'phones') then
    cleaned := private.phone(cleaned);
    -- Anyone may read it, also from abroad.
    if cleaned ~ '^\+' then return cleaned; end if;
    perform private.refuse_setting(_name, 'phone', '%s must be a number of Ghana, or one with its country''s code: 030 200 0140 or +233 30 200 0140.');
  elsif _kind = 'url' and cleaned !~ '^https://[^[:space:]/@?#"<>]+\.[^[:space:]/@?#"<>]+([/?#][^[:space:]"<>]*)?$' then
    perform private.refuse_setting(_name, 'url', '%s must be an address that starts with https://.');
  elsif _kind = 'choice' and not rule -> 'choices' ? cleaned then
    perform private.refuse_setting(_name, 'choice', '%s: unknown choice.');
  end if;
  return cleaned;
end $$;

create or replace function private.check_profile()
returns trigger language plpgsql set search_path = '' as $$
begin
  new.full_name := private.clean_line(new.full_name);
  new.phone := private.written_phone(new.phone);
  new.address := private.clean_line(new.address);
  new.city := private.clean_line(new.city);
  new.postal_code := private.clean_line(new.postal_code);
  new.landmark := private.clean_line(new.landmark);
  new.digital_address := private.digital_address(new.digital_address);
  new.bus_station := private.clean_line(new.bus_station);
  perform private.require_text('full_name', 'The name', new.full_name, 200);
  perform private.require_text('phone', 'The phone number', new.phone, 40);
  perform private.require_text('address', 'The address', new.address, 600);
  perform private.require_text('city', 'The city', new.city, 200);
  perform private.require_text('postal_code', 'The postal code', new.postal_code, 100);
  perform private.require_delivery(new.region, new.landmark, new.digital_address, new.delivery_method, new.bus_station, null);
  return new;
end $$;

/*
 * The columns of an order that people type: their names in messages, their maximum lengths, and whether they are one line, a text of
 * several, a phone number, or a digital address.
 */
create or replace function private.order_texts()
returns table (name text, label text, at_most int, kind text) language sql immutable parallel safe set search_path = '' as $$
  values
    ('shipping_address', 'address', 1000, 'line'),
    ('recipient_name', 'name', 200, 'line'),
    ('recipient_email', 'email address', 320, 'line'),
    ('recipient_phone', 'phone number', 40, 'phone'),
    ('landmark', 'landmark', 200, 'line'),
    ('digital_address', 'digital address', null, 'digital_address'),
    ('bus_station', 'bus parcel station', 200, 'line'),
    ('delivery_note', 'delivery note', 500, 'text'),
    ('customer_reference', 'reference', 60, 'line')
$$;

/* An order with its texts as they are stored; refuses what it may not be. */
create or replace function private.clean_order(_order public.orders)
returns public.orders language plpgsql immutable set search_path = '' as $$
declare
  typed constant jsonb := to_jsonb(_order);
  cleaned jsonb := '{}';
  field record;
  value text;
begin
  for field in select * from private.order_texts() loop
    value := case field.kind when 'text' then private.clean_text(typed ->> field.name)
                             when 'phone' then private.written_phone(typed ->> field.name)
                             when 'digital_address' then private.digital_address(typed ->> field.name)
                             else private.clean_line(typed ->> field.name) end;
    value := private.require_text(field.name, 'The ' || field.label, value, field.at_most);
    cleaned := cleaned || jsonb_build_object(field.name, value);
  end loop;
  _order := jsonb_populate_record(_order, cleaned);
  _order.delivery_method := coalesce(_order.delivery_method, 'deliver');
  _order.delivery_fee := coalesce(_order.delivery_fee, 0);
  -- As typed: an email address or a phone number may be missing, but not empty.
  perform private.require_contact('recipient_email', typed ->> 'recipient_email', 'recipient_phone', typed ->> 'recipient_phone'),
    private.require_delivery(_order.region, _order.landmark, _order.digital_address, _order.delivery_method, _order.bus_station,
                             _order.delivery_note);
  return _order;
end $$;

/* The texts of a shipment, { carrier, parcel_number, driver_phone }, as they are stored; refuses what is too long. */
create or replace function private.read_shipment(_shipment jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_object_agg(name, private.require_text(name, 'The ' || label,
           case name when 'driver_phone' then private.written_phone(_shipment ->> name) else private.clean_line(_shipment ->> name) end, at_most))
    from private.shipment_texts()
$$;

/*
 * Staff: places a pending order for a customer, or, without _customer_id, for a caller who has no account; returns its id. 1 to 500
 * different books, 1 to 999 copies of each; _total in cedis is what the customer was quoted, delivery included; _order as in
 * accept_quote. _order_id is chosen by the client, so that a retry orders nothing twice; refused if that order is another one: staff may
 * have changed what they typed because the first response was lost.
 */
create or replace function private.place_order_for(
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
  if _customer_id is not null and not exists (select from public.profiles where id = _customer_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
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
  perform private.insert_order(placed);
  perform private.fill_order(placed.id, _book_ids, _quantities, prices);
  perform private.queue_order_emails(placed.id);
  return placed.id;
end $$;

/*
 * Customers: requests a quote for the books in the cart, which stays as it is; returns the quote's id. _quote_id is chosen by
 * the client, so that a retry requests nothing twice.
 */
create or replace function private.request_quote(
  _quote_id uuid, _institution text, _contact_name text, _contact_email text, _contact_phone text, _message text default null
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
  if not exists (select from public.profiles where id = asking) then
    perform private.refuse('PT403', 'account_needed', 'Please sign in to request a quote.');
  end if;

  perform pg_advisory_xact_lock(hashtext('public.quotes'), hashtext(asking::text));
  -- A retry of a request that arrived.
  if exists (select from public.quotes where id = _quote_id and user_id = asking) then return _quote_id; end if;
  perform private.limit_quotes(asking);
  insert into public.quotes (id, user_id, institution, contact_name, contact_email, contact_phone, message)
  values (coalesce(_quote_id, gen_random_uuid()), asking, quote.institution, quote.contact_name, quote.contact_email,
          quote.contact_phone, quote.message)
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
 * Refuses more requests than people make: 3 a day with one email address, however it is written, or phone number, 5 a day by one account, and
 * 200 an hour in the shop, so that emails to strangers' addresses stay few. Requests come one at a time, so that parallel ones are counted too.
 */
create or replace function private.limit_consultations(_given public.consultations)
returns void language plpgsql security definer set search_path = '' as $$
declare
  -- In variables, because an index scan needs values that do not change during it.
  a_day_ago constant timestamptz := clock_timestamp() - interval '1 day';
  an_hour_ago constant timestamptz := clock_timestamp() - interval '1 hour';
  mailbox constant text := private.mailbox_key(_given.email);
begin
  if (select count(*) from public.consultations c where private.mailbox_key(c.email_key) = mailbox and c.created_at > a_day_ago) >= 3
     or (select count(*) from public.consultations c
          where c.phone_key = private.phone_key(_given.phone) and c.created_at > a_day_ago) >= 3
     or (select count(*) from public.consultations c where c.user_id = _given.user_id and c.created_at > a_day_ago) >= 5
     or (select count(*) from public.consultations c where c.created_at > an_hour_ago) >= 200 then
    perform private.refuse('PT429', 'too_many_consultations', 'There have been too many requests. Please call us, or try again tomorrow.',
      '{"retry_after_seconds": 3600}');
  end if;
end $$;

/*
 * Everyone: asks for a consultation, with an email address or a phone number. _id is chosen by the client, so that a retry asks only once.
 */
create or replace function private.request_consultation(
  _id uuid, _name text, _about text, _email text default null, _phone text default null, _institution text default null,
  _subject text default null, _classes text default null, _wished_days text default null
) returns void language plpgsql security definer set search_path = '' as $$
declare
  given public.consultations;
  stored public.consultations;
begin
  given.name := private.require_text('name', 'The name', private.clean_line(_name), 200, true);
  given.email := private.require_text('email', 'The email address', private.clean_line(_email), 320);
  given.phone := private.require_text('phone', 'The phone number', private.written_phone(_phone), 40);
  given.institution := private.require_text('institution', 'The institution', private.clean_line(_institution), 200);
  given.subject := private.require_text('subject', 'The subject', private.clean_line(_subject), 200);
  given.classes := private.require_text('classes', 'The classes', private.clean_line(_classes), 200);
  given.wished_days := private.require_text('wished_days', 'The days', private.clean_line(_wished_days), 200);
  given.about := private.require_text('about', 'What it is about', private.clean_text(_about), 1000, true);
  if num_nonnulls(given.email, given.phone) = 0 then
    perform private.refuse('PT400', 'invalid_field', 'Please enter an email address or a phone number.',
      '{"field": "email", "rule": "required"}');
  end if;
  perform private.require_contact('email', given.email, 'phone', given.phone);
  perform private.require_plain_email('email', given.email);
  select p.id into given.user_id from public.profiles p where p.id = auth.uid() for key share;

  perform pg_advisory_xact_lock(hashtext('public.consultations'));
  select * into stored from public.consultations where id = _id;
  if found then
    if (stored.user_id, stored.email, stored.phone, stored.about) is distinct from (given.user_id, given.email, given.phone, given.about) then
      perform private.refuse('PT409', 'consultation_exists', 'This request has been sent before. Please reload the page to send another.');
    end if;
    return;
  end if;
  perform private.limit_consultations(given);
  insert into public.consultations (id, user_id, name, email, phone, institution, subject, classes, wished_days, about)
  values (coalesce(_id, gen_random_uuid()), given.user_id, given.name, given.email, given.phone, given.institution, given.subject,
          given.classes, given.wished_days, given.about)
  returning * into stored;
  perform private.queue_email('consultation_requested', stored.id::text, null);
  if stored.email is not null then perform private.queue_email('consultation_received', stored.id::text, null); end if;
end $$;

/* A registration's fields as they are stored; refuses invalid ones, naming them. */
create or replace function private.read_registration(_name text, _email text, _phone text, _institution text)
returns public.event_registrations language plpgsql immutable set search_path = '' as $$
declare
  given public.event_registrations;
begin
  given.name := private.require_text('name', 'The name', private.clean_line(_name), 200, true);
  given.email := private.require_text('email', 'The email address', private.clean_line(_email), 320);
  given.phone := private.require_text('phone', 'The phone number', private.written_phone(_phone), 40);
  given.institution := private.require_text('institution', 'The institution', private.clean_line(_institution), 200);
  if num_nonnulls(given.email, given.phone) = 0 then
    perform private.refuse('PT400', 'invalid_field', 'Please enter an email address or a phone number.',
      '{"field": "email", "rule": "required"}');
  end if;
  perform private.require_contact('email', given.email, 'phone', given.phone);
  given.contact_key := coalesce(lower(given.email), private.phone_key(given.phone));
  return given;
end $$;

/*
 * Staff: adds or changes a supplier. _id of a new one is the client's, so that a repeated save adds none; _updated_at is the
 * version that was opened, null for a new one. _discount in percent, at most two decimals. Returns the new version.
 */
create or replace function private.save_supplier(
  _id uuid, _name text, _contact_name text default null, _email text default null, _phone text default null,
  _terms text default null, _discount numeric default 0, _currency text default 'GHS', _delivery_days int default null,
  _hidden boolean default false, _updated_at timestamptz default null
)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  stored public.suppliers;
  given public.suppliers;
begin
  perform private.require_duty('stock');
  given.name := private.require_text('name', 'The name', private.clean_line(_name), 200, true);
  given.contact_name := private.require_text('contact_name', 'The contact person', private.clean_line(_contact_name), 200);
  given.email := private.require_text('email', 'The email address', private.clean_line(_email), 320);
  given.phone := private.require_text('phone', 'The phone number', private.written_phone(_phone), 40);
  given.terms := private.require_text('terms', 'The terms', private.clean_text(_terms), 500);
  perform private.require_contact('email', given.email, 'phone', given.phone);
  perform private.require_number('discount', 'The discount', _discount, 0, 100);
  perform private.require_pesewas('discount', 'The discount', _discount);
  if _delivery_days is not null then
    perform private.require_number('delivery_days', 'The days to deliver', _delivery_days, 0, 365);
  end if;
  if coalesce(_currency, '') not in ('GHS', 'GBP', 'USD', 'EUR', 'NGN', 'ZAR', 'INR', 'CNY', 'AED') then
    perform private.refuse('PT400', 'invalid_field', 'Choose the supplier''s currency.', '{"field": "currency", "rule": "choice"}');
  end if;

  -- One after the other: two who add the same name at once both get an answer in words.
  perform pg_advisory_xact_lock(hashtext('public.suppliers'), 0);
  select * into stored from public.suppliers where id = _id for no key update;
  if not found and _updated_at is not null then
    perform private.refuse('PT404', 'supplier_not_found', 'This supplier no longer exists.');
  elsif stored.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'supplier_changed', 'This supplier has since been changed.');
  end if;
  if exists (select from public.suppliers s where s.id <> _id and s.name_key = private.fold(given.name)) then
    perform private.refuse('PT409', 'name_taken', 'Another supplier has this name.', '{"field": "name", "rule": "unique"}');
  end if;
  insert into public.suppliers as s (id, name, contact_name, email, phone, terms, discount, currency, delivery_days, hidden)
  values (_id, given.name, given.contact_name, given.email, given.phone, given.terms, _discount, _currency, _delivery_days,
          coalesce(_hidden, false))
  on conflict (id) do update
     set (name, contact_name, email, phone, terms, discount, currency, delivery_days, hidden) =
         row (excluded.name, excluded.contact_name, excluded.email, excluded.phone, excluded.terms, excluded.discount,
              excluded.currency, excluded.delivery_days, excluded.hidden)
  returning * into given;
  return given.updated_at;
end $$;
