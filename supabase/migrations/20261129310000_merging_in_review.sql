-- What a review found of quotes of people whose accounts are merged.

/* Customers with a link: takes its quote into their account, so that they can accept it; repeating it changes nothing. */
create or replace function private.claim_quote(_quote_id uuid, _token text)
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
  perform from public.profiles p where p.id = auth.uid() and p.email is not null and private.merged_into(p.id) is null for share;
  if not found then
    perform private.refuse('PT403', 'account_needed', 'Please sign in to accept this quote.');
  end if;
  update public.quotes set user_id = auth.uid(), claimed_at = clock_timestamp() where id = _quote_id;
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
   where l.quote_id = _copy_of;
  return quote.id;
end $$;

/*
 * Staff: what the shop holds about a person with an account; null if there is none. Lists have their number of rows and the ten newest.
 * What needs a further duty is null without it: orders, what is owed and the notes on orders (orders), quotes and consultations (schools),
 * reviews (reviews), registrations (events). Amounts in cedis.
 */
create or replace function private.admin_find_person(_user_id uuid)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  person public.profiles;
  account auth.users;
begin
  perform private.require_duty('people');
  select * into person from public.profiles p where p.id = _user_id;
  if not found then return null; end if;
  select * into account from auth.users u where u.id = _user_id;
  return jsonb_build_object(
    'profile', to_jsonb(person) - '{search_text,terms_version}'::text[],
    'is_confirmed', account.email_confirmed_at is not null,
    -- A hosted project's closed account has an address at nobody.invalid.
    'is_open', coalesce(account.email not like '%@nobody.invalid', false),
    -- While the link lasts; whoever requested it, they or staff.
    'new_email', case when account.email_change_sent_at > now() - interval '1 hour' then nullif(account.email_change, '') end,
    'can_change_email', private.has_own_accounts(),
    'role', coalesce((select r.role from public.user_roles r where r.user_id = _user_id order by r.id desc limit 1), 'user'),
    'duties', array(select d.duty from public.staff_duties d where d.user_id = _user_id),
    'notes', private.newest_of_person(_user_id,
      'select n.id, n.body, n.created_at, coalesce(p.full_name, p.email) as by_name
         from private.person_notes n left join public.profiles p on p.id = n.actor where n.user_id = $1'),
    'cart', private.newest_of_person(_user_id,
      'select b.id, b.title, c.quantity, c.created_at from public.cart_items c join public.books b on b.id = c.book_id where c.user_id = $1'),
    'wishlist', private.newest_of_person(_user_id,
      'select b.id, b.title, w.created_at from public.wishlists w join public.books b on b.id = w.book_id where w.user_id = $1'),
    'stock_alerts', private.newest_of_person(_user_id,
      'select b.id, b.title, a.created_at from public.stock_alerts a join public.books b on b.id = a.book_id where a.user_id = $1'),
    'orders', case when private.has_duty('orders') then private.newest_of_person(_user_id,
      'select o.id, o.number, o.created_at, o.status, o.total_amount, o.payment_state, o.owed_back, o.user_id is null as is_by_phone
         from private.orders_of_person($1) as o') end,
    'owed', case when private.has_duty('orders') then (
      select jsonb_build_object(
               'due', coalesce(sum(o.total_amount - o.returned_amount - o.paid_amount) filter (where o.payment_state in ('due', 'part_paid')), 0),
               'back', coalesce(sum(o.owed_back), 0))
        from private.orders_of_person(_user_id) as o) end,
    'order_notes', case when private.has_duty('orders') then private.newest_of_person(_user_id,
      'select n.id, n.body, n.created_at, o.number, coalesce(p.full_name, p.email) as by_name
         from private.orders_of_person($1) as o join public.order_notes n on n.order_id = o.id
         left join public.profiles p on p.id = n.actor where n.body is not null') end,
    'quotes', case when private.has_duty('schools') then private.newest_of_person(_user_id,
      'select q.id, q.reference, q.institution, private.quote_status(q.status, q.valid_until) as status, q.created_at
         from public.quotes q where q.id = any (private.quotes_of($1))') end,
    'consultations', case when private.has_duty('schools') then private.newest_of_person(_user_id,
      'select c.id, c.subject, c.institution, c.status, c.created_at
         from public.consultations c where c.id = any (private.consultations_of($1))') end,
    'reviews', case when private.has_duty('reviews') then private.newest_of_person(_user_id,
      'select r.id, b.title, r.rating, r.review_text, r.hidden_at is not null as is_hidden, r.created_at
         from public.reviews r join public.books b on b.id = r.book_id where r.user_id = $1') end,
    'registrations', case when private.has_duty('events') then private.newest_of_person(_user_id,
      'select r.id, e.id as event_id, e.title, e.starts_at, r.state, r.created_at
         from auth.users u join public.event_registrations r on lower(r.email) = lower(u.email) join public.events e on e.id = r.event_id
        where u.id = $1 and u.email_confirmed_at is not null') end);
end $$;
