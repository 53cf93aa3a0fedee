-- Quotes for customers without an account, read by a link and taken over by one account.

alter table public.quotes alter column user_id drop not null;
alter table public.quotes add column claimed_at timestamptz;
alter table public.quotes add constraint quotes_without_account_are_of_staff check (user_id is not null or begun_by_staff);

/* A quote as its customer reads it: see find_own_quote. */
create or replace function private.quote_as_sent(_quote public.quotes)
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
create or replace function private.find_own_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, order_id uuid,
  purchase_order_number text, lines jsonb, shop jsonb, delivery_method text, region text, delivery_pricing text,
  delivery_fee numeric
) language sql stable security definer set search_path = '' as $$
  select sent.* from public.quotes q cross join lateral private.quote_as_sent(q) as sent
   where q.id = _quote_id and q.user_id = auth.uid() and (not q.begun_by_staff or q.number is not null)
$$;

drop function private.read_quote_contact(text, text, text, text);

/*
 * Whom a quote is for, as a quote with these columns alone, cleaned; refused when something is missing or malformed. Only a customer
 * without an account may have no email address.
 */
create or replace function private.read_quote_contact(
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
 * Staff: begins a quote for an account, for a customer without one (_user_id null), or, from an older quote (_copy_of), for its customer
 * and with its delivery and the books that are still sold, at today's prices; returns its id. _quote_id is chosen by the client, so that a retry begins nothing twice; refused if that
 * quote is for someone else: staff may have changed what they typed because the first response was lost.
 */
create or replace function private.begin_quote(
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
    perform from public.profiles p where p.id = quote.user_id and p.email is not null for share;
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
   where l.quote_id = _copy_of;
  return quote.id;
end $$;

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
  if quote.contact_email is not null or quote.user_id is not null then
    perform private.queue_email('quote_sent', quote.id::text || ':' || quote.version, null);
  end if;
  return quote.reference;
end $$;

-- Links by which a customer without an account reads the quote that staff made for them, whoever they give it to too. One account takes
-- the quote over, to accept it; from then on it is among that account's quotes, and its links open nothing.

create table private.quote_links (
  -- Only this form of the secret is stored (private.hash_token).
  token_hash bytea primary key,
  quote_id uuid not null references public.quotes (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp()
);
create index quote_links_by_quote on private.quote_links (quote_id);

alter table private.quote_links enable row level security;

/* Creates a link to a quote; returns its token, 122 random bits in 32 digits, or null for one that has an account or was never sent. */
create function private.new_quote_link(_quote_id uuid)
returns text language plpgsql strict security definer set search_path = '' as $$
declare
  token constant text := replace(gen_random_uuid()::text, '-', '');
begin
  insert into private.quote_links (token_hash, quote_id)
  select private.hash_token(token), q.id
    from public.quotes q where q.id = _quote_id and q.user_id is null and q.number is not null;
  return case when found then token end;
end $$;

/* Whether the token opens this quote. */
create function private.opens_quote(_token text, _quote public.quotes)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return _quote.user_id is null and _quote.number is not null and exists (
    select from private.quote_links l where l.quote_id = _quote.id and l.token_hash = private.hash_token(_token));
end $$;

/* Everyone with a link: its quote as find_own_quote has it, or no row: the link was stopped, or an account has the quote by now. */
create function private.find_linked_quote(_quote_id uuid, _token text)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, order_id uuid,
  purchase_order_number text, lines jsonb, shop jsonb, delivery_method text, region text, delivery_pricing text,
  delivery_fee numeric
) language sql stable security definer set search_path = '' as $$
  select sent.* from public.quotes q cross join lateral private.quote_as_sent(q) as sent
   where q.id = _quote_id and private.opens_quote(_token, q)
$$;
select private.expose('find_linked_quote', 'anon', 'authenticated', 'service_role');

/* Customers with a link: takes its quote into their account, so that they can accept it; repeating it changes nothing. */
create function private.claim_quote(_quote_id uuid, _token text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  -- The quote before the account, like forgetting.
  select * into quote from public.quotes q where q.id = _quote_id for no key update;
  if quote.user_id = auth.uid() then return; end if;
  if not coalesce(private.opens_quote(_token, quote), false) then
    perform private.refuse('PT404', 'quote_not_found', 'This link no longer opens a quote.');
  end if;
  -- Held until the end, so that a person who is being forgotten is forgotten with this quote.
  perform from public.profiles p where p.id = auth.uid() and p.email is not null for share;
  if not found then
    perform private.refuse('PT403', 'account_needed', 'Please sign in to accept this quote.');
  end if;
  update public.quotes set user_id = auth.uid(), claimed_at = clock_timestamp() where id = _quote_id;
end $$;
select private.expose('claim_quote', 'authenticated');

/* Staff: a new link to a quote that was sent to a customer without an account; returns its token. The earlier links still open it. */
create function private.create_quote_link(_quote_id uuid)
returns text language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  perform private.require_duty('schools');
  quote := private.lock_quote(_quote_id, true);
  if quote.institution is null then
    perform private.refuse('PT409', 'quote_without_customer', 'The details of this quote''s customer have been erased.');
  elsif quote.user_id is not null then
    perform private.refuse('PT409', 'quote_has_account', 'This quote is in the customer''s account, under My Quotes.');
  elsif quote.number is null then
    perform private.refuse('PT409', 'quote_not_sent', 'Send the quote first.');
  end if;
  return private.new_quote_link(_quote_id);
end $$;
select private.expose('create_quote_link', 'authenticated', 'service_role');

/*
 * Staff: stops all links to a quote if it is still this version, and takes it back from an account that took it over by one; returns the
 * version that it has then. Refused once it is accepted.
 */
create function private.stop_quote_links(_quote_id uuid, _version int)
returns int language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  perform private.lock_open_quote(_quote_id, _version);
  delete from private.quote_links where quote_id = _quote_id;
  update public.quotes set user_id = null, claimed_at = null where id = _quote_id and claimed_at is not null;
  return (select version from public.quotes where id = _quote_id);
end $$;
select private.expose('stop_quote_links', 'authenticated', 'service_role');

/*
 * What an email about a quote says of it, in cedis; null for any other email, and when there is nothing to say any more: the quote was
 * changed, decided or forgotten since, or its customer has cancelled the request.
 */
create or replace function private.email_quote(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', q.id, 'reference', q.reference, 'valid_until', q.valid_until, 'institution', q.institution, 'name', q.contact_name,
    -- Staff need not give one of a customer without an account, who may have one by now.
    'email', coalesce(q.contact_email, (select p.email from public.profiles p where p.id = q.user_id)), 'phone', q.contact_phone, 'message', q.message, 'note', q.note,
    'lines', private.quote_lines_as_json(q.id, true), 'delivery_method', private.quote_delivery_method(q), 'region', q.region,
    'delivery_pricing', q.delivery_pricing, 'delivery_fee', private.quote_delivery_fee(q))
    from public.quotes q
   where private.email_topic(_email.kind) = 'quote' and q.institution is not null
     and q.status = case _email.kind when 'quote_sent' then 'sent' else 'requested' end
     and q.id::text || ':' || q.version = private.email_event(_email)
$$;

/*
 * The worker: the next email to send, as JSON, leased for 5 minutes. Null when none is due, or when the first 200 were out of date: ten
 * thousand customers may wait for a book that is sold out again, and one transaction for all of them would reach its timeout.
 */
create or replace function private.claim_email()
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  email public.outgoing_emails;
  of_order jsonb;
  of_quote jsonb;
  of_alert jsonb;
  of_consultation jsonb;
  of_registration jsonb;
  of_subscription jsonb;
  of_purchase jsonb;
  of_role jsonb;
  stock jsonb;
  problem text;
  late constant interval := interval '3 days';
begin
  perform private.give_up_old_emails(late);
  for looked in 1 .. 200 loop
    select * into email from public.outgoing_emails
     where state = 'waiting' and created_at >= clock_timestamp() - late
       -- No pause is that long: a clock that was ahead has written it, and the row would wait until then.
       and (due_at <= clock_timestamp() or due_at > clock_timestamp() + interval '2 hours')
     -- An order's email passes those to many at once, about books that are back and about events, however many are late because the mail server is slow.
     order by kind in ('back_in_stock', 'event_published', 'event_changed', 'event_cancelled'), due_at, created_at limit 1
       for update skip locked;
    if not found then return null; end if;
    if private.email_audience(email.kind) = 'recipient' then
      -- One at a time, so that workers don't send two last ones at once.
      perform pg_advisory_xact_lock(hashtextextended('copies for recipients', 47));
      update public.outgoing_emails set mailbox = null
       where mailbox is not null and state <> 'waiting' and coalesce(settled_at, created_at) <= clock_timestamp() - interval '1 day';
    end if;
    of_order := private.email_order(email.order_id);
    stock := case when private.email_topic(email.kind) = 'stock' then private.email_stock() end;
    of_quote := private.email_quote(email);
    of_alert := private.email_stock_alert(email);
    of_consultation := private.email_consultation(email);
    of_registration := private.email_registration(email);
    of_subscription := private.email_subscription(email);
    of_purchase := private.email_purchase(email);
    of_role := private.email_role(email);
    problem := private.email_problem(email, coalesce(of_order, of_quote, of_purchase));
    if problem is not null then
      update public.outgoing_emails
         set state = 'given_up', reason = btrim(problem), lease = null, settled_at = clock_timestamp()
       where id = email.id;
    elsif private.has_nothing_to_say(email) or private.is_copy_too_many(email) then
      delete from public.outgoing_emails where id = email.id;
    else
      update public.outgoing_emails
         set lease = gen_random_uuid(), attempts = attempts + 1, due_at = clock_timestamp() + private.email_lease()
       where id = email.id
      returning * into email;
      return jsonb_build_object(
        'id', email.id, 'lease', email.lease, 'kind', email.kind, 'status', email.status, 'created_at', email.created_at,
        'audience', private.email_audience(email.kind), 'order', of_order, 'stock', stock,
        'payment', private.email_payment(email), 'consultation', of_consultation, 'alert', of_alert,
        -- Null for other emails. Each attempt has a link of its own: only its hash is stored.
        'quote', of_quote || jsonb_build_object('token', private.new_quote_link((of_quote ->> 'id')::uuid)),
        'registration', of_registration || jsonb_build_object('token', private.new_event_link('registration', (of_registration ->> 'id')::uuid)),
        'subscription', of_subscription || jsonb_build_object('token', private.new_event_link('subscription', (of_subscription ->> 'id')::uuid)),
        'purchase', of_purchase, 'role', of_role);
    end if;
  end loop;
  return null;
end $$;

/*
 * A person's quotes, including those that staff made without an account for the person's confirmed email and the phone number in their
 * profile: as orders_of.
 */
create or replace function private.quotes_of(_user_id uuid)
returns uuid[] language sql stable security definer set search_path = '' as $$
  select array(
    select q.id from public.quotes q where q.user_id = _user_id
    union
    select q.id from auth.users u join public.profiles p on p.id = u.id
      join public.quotes q on q.user_id is null and lower(q.contact_email) = lower(u.email) and private.is_same_phone(q.contact_phone, p.phone)
     where u.id = _user_id and u.email_confirmed_at is not null)
$$;

/* The quotes that staff made without an account for this email or phone number. */
create or replace function private.quotes_of_caller(_who text)
returns uuid[] language sql stable security definer set search_path = '' as $$
  select array(
    select q.id from public.quotes q
     where q.user_id is null and private.bare_order_number(_who) !~ '^[0-9]{1,8}$'
       and (lower(q.contact_email) = lower(btrim(_who)) or private.is_same_phone(q.contact_phone, _who)))
$$;

/* Removes what names the customer from these quotes and their log; they keep their numbers and lines. An open one is withdrawn. */
create or replace function private.scrub_quotes(_quote_ids uuid[])
returns void language plpgsql security definer set search_path = '' as $$
begin
  delete from private.quote_links where quote_id = any (_quote_ids);
  update public.quotes
     set institution = null, contact_name = null, contact_email = null, contact_phone = null, message = null, note = null,
         purchase_order_number = null, status = case when status in ('requested', 'sent') then 'withdrawn' else status end
   where id = any (_quote_ids);
  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name = 'quotes' and row_id = any (_quote_ids::text[]);
  perform set_config('shop.task', '', true);
end $$;

/*
 * Removes everything that names this customer, unless an order or a payment of theirs is not settled; returns how many of their orders
 * stay. _what: see require_settled_orders.
 */
create or replace function private.forget_customer(_user_id uuid, _what text)
returns int language plpgsql security definer set search_path = '' as $$
declare
  order_ids uuid[];
  kept int;
begin
  if not exists (select from public.profiles where id = _user_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  -- The lock under which their orders are placed (limit_orders): one that is being placed in another tab is waited for.
  perform pg_advisory_xact_lock(hashtext('public.orders'), hashtext(_user_id::text));
  delete from public.staff_duties where user_id = _user_id;
  delete from public.cart_items where user_id = _user_id;
  delete from public.wishlists where user_id = _user_id;
  delete from public.stock_alerts where user_id = _user_id;
  delete from private.booklist_additions where user_id = _user_id;
  delete from private.cart_requests where user_id = _user_id;
  delete from public.consultations where id = any (private.consultations_of(_user_id));
  -- Before the orders: one that is being accepted now is waited for, and its order is forgotten too.
  perform private.scrub_quotes(private.quotes_of(_user_id));
  order_ids := private.orders_of(_user_id);
  kept := private.scrub_orders(order_ids);
  -- After the orders are locked, so that none is reopened meanwhile. A refusal undoes all of it.
  perform private.require_settled_orders(order_ids, _what);
  -- After the orders, some of which are found by the phone number.
  update public.profiles
     set full_name = null, email = null, phone = null, address = null, city = null, postal_code = null, region = null, landmark = null, digital_address = null,
         delivery_method = null, bus_station = null
   where id = _user_id;
  -- After the profile, which is locked while staff begin a quote or add a note.
  perform private.scrub_quotes(private.quotes_of(_user_id));
  delete from private.person_notes where user_id = _user_id;
  update public.reviews set review_text = null where user_id = _user_id;
  update public.payments set note = null where user_id = _user_id and note is not null;
  delete from private.review_reports where user_id = _user_id;
  perform private.forget_event_contact(u.email) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null;

  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name in ('orders', 'reviews', 'user_roles', 'payments', 'profiles')
     and coalesce(after, before) ->> 'user_id' = _user_id::text;
  perform set_config('shop.task', '', true);
  return kept;
end $$;

/*
 * Staff: anonymises a caller without an account, identified by the number of an order that staff entered, or by the
 * email or phone number given for it; returns the orders, which stay. Refuses as forget_customer does.
 */
create or replace function private.anonymise_caller(_who text)
returns table (id uuid, number bigint) language plpgsql security definer set search_path = '' as $$
declare
  order_ids uuid[];
begin
  perform private.require_duty('people', 'deletions');
  order_ids := private.orders_of_caller(_who);
  return query select distinct o.id, o.number from private.orders_to_forget(order_ids) as o order by 2;
  perform private.scrub_orders(order_ids);
  perform private.require_settled_orders(order_ids, 'Names can be removed');
  perform private.scrub_quotes(private.quotes_of_caller(_who));
  if private.bare_order_number(_who) !~ '^[0-9]{1,8}$' then
    delete from public.consultations c where c.id = any (private.consultations_of_contact(_who));
    perform private.forget_event_contact(_who);
  end if;
end $$;

/*
 * Staff: what anonymise_customer and anonymise_caller would forget, changing nothing. {orders, consultations, quotes, reviews,
 * registrations, order_count, problem}: each order with its number, name, status and total, none without the duty for orders, and problem as
 * the sentence with which they would refuse.
 * What only an admin may do is refused.
 */
create or replace function private.preview_anonymising(_user_id uuid default null, _who text default null)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  order_ids uuid[];
  contacts text[];
  problem text;
begin
  perform private.require_duty('people', 'deletions');
  order_ids := private.orders_of(_user_id) || private.orders_of_caller(_who);
  begin
    perform private.require_forgettable(_user_id);
    perform private.require_settled_orders(order_ids, 'Names can be removed');
  exception when sqlstate 'PT409' then problem := sqlerrm;
  end;
  contacts := array(
    select lower(u.email) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null
    union
    select lower(btrim(_who)) where private.bare_order_number(_who) !~ '^[0-9]{1,8}$');
  return jsonb_build_object(
    'order_count', (select count(distinct o.id) from private.orders_to_forget(order_ids) as o),
    'orders', (select coalesce(jsonb_agg(distinct jsonb_build_object(
                        'number', o.number, 'name', o.recipient_name, 'status', o.status, 'total', o.total_amount)), '[]')
                 from private.orders_to_forget(order_ids) as o where private.has_duty('orders')),
    'quotes', cardinality(private.quotes_of(_user_id) || private.quotes_of_caller(_who)),
    'reviews', (select count(*) from public.reviews r where r.user_id = _user_id),
    'consultations', (select count(*) from public.consultations c
                       where c.id = any (private.consultations_of(_user_id))
                          or exists (select from unnest(contacts) as contact
                                      where c.id = any (private.consultations_of_contact(contact)))),
    -- For events, and for emails about new ones.
    'registrations', (select count(*) from unnest(contacts) as contact join public.event_registrations r
                          on lower(r.email) = contact or private.is_same_phone(r.phone, contact))
                     + (select count(*) from unnest(contacts) as contact join public.event_subscribers s
                          on s.email_key = contact),
    'problem', problem);
end $$;

/* For the nightly housekeeping: removes the names from the oldest of these orders and the quotes they came from; returns how many there were. */
create or replace function private.forget_old_orders(_most int default 500)
returns int language plpgsql security definer set search_path = '' as $$
declare
  old constant uuid[] := private.old_orders(private.forget_orders_after_years(), _most);
begin
  perform private.scrub_orders(old);
  perform private.scrub_quotes(array(select id from public.quotes where order_id = any (old)));
  return cardinality(old);
end $$;

drop function private.forget_quotes(uuid);
