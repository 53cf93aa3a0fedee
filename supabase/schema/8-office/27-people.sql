-- The back office's page about one person: what the shop holds about them, staff's notes, and corrections of name and phone number.

/* What staff write to each other about a person with an account, who never sees it. Deleted when the person is forgotten. */
create table private.person_notes (
  -- Chosen by the client, so that a retry writes nothing twice.
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  body text not null,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  constraint person_notes_body_is_short check (length(body) <= 2000)
);
create index person_notes_by_person on private.person_notes (user_id, created_at desc);

/*
 * A person's orders, including those that staff entered without an account under the person's confirmed email and the phone number in
 * their profile: orders_of without the deleted ones.
 */
create function private.orders_of_person(_user_id uuid)
returns setof public.orders language plpgsql stable security definer set search_path = '' as $$
declare
  known_email text;
  known_phone text;
begin
  return query select o.* from public.orders o where o.user_id = _user_id;
  select lower(u.email), p.phone into known_email, known_phone
    from auth.users u join public.profiles p on p.id = u.id where u.id = _user_id and u.email_confirmed_at is not null;
  if known_phone is null or known_email is null then return; end if;
  -- By the index of the back office's search; the email has none of its own.
  return query execute format(
    'select o.* from public.orders o
      where o.user_id is null and %s and lower(o.recipient_email) = $1 and private.is_same_phone(o.recipient_phone, $2)',
    private.contains_condition('o.search_text', known_email)) using known_email, known_phone;
end $$;

/* What a query about a person ($1) finds: how many rows, and the ten newest by created_at. */
create function private.newest_of_person(_user_id uuid, _query text)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  part jsonb;
begin
  execute format(
    'with found as materialized (%s)
     select jsonb_build_object(
       ''count'', (select count(*) from found),
       ''rows'', (select coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from (select * from found order by created_at desc limit 10) as r))', _query)
    into part using _user_id;
  return part;
end $$;

/*
 * Staff: what the shop holds about a person with an account; null if there is none. Lists have their number of rows and the ten newest.
 * What needs a further duty is null without it: orders, what is owed and the notes on orders (orders), quotes and consultations (schools),
 * reviews (reviews), registrations (events). Amounts in cedis.
 */
create function private.admin_find_person(_user_id uuid)
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
select private.expose('admin_find_person', 'authenticated', 'service_role');

/* Staff: adds a note about a person, once per _note_id, which is refused with other words. The person never sees it. */
create function private.add_person_note(_note_id uuid, _user_id uuid, _body text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written constant text := private.clean_text(_body);
  known_email text;
begin
  perform private.require_duty('people');
  perform private.require_text('body', 'The note', written, 2000, true);
  -- Held until the end, so that a person who is being forgotten is forgotten with this note.
  select email into known_email from public.profiles where id = _user_id for share;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  elsif known_email is null then
    perform private.refuse('PT409', 'account_closed', 'This account is closed, and its details have been erased.');
  end if;
  insert into private.person_notes (id, user_id, body) values (coalesce(_note_id, gen_random_uuid()), _user_id, written)
  on conflict (id) do nothing;
  if not found and not exists (
    select from private.person_notes n where n.id = _note_id and n.user_id = _user_id and n.body = written
  ) then
    perform private.refuse('PT409', 'note_exists',
      'This note was already added, before your last changes. You''ll find it among the notes on this page.');
  end if;
end $$;
select private.expose('add_person_note', 'authenticated', 'service_role');

/*
 * Staff: corrects a person's name and phone number, from those that were shown (_seen_…), which tell an outdated page. Of staff, only
 * admins. Activity has both before and after, until the person is forgotten. Repeating a correction changes nothing.
 */
create function private.correct_person(
  _user_id uuid, _seen_name text default null, _seen_phone text default null, _full_name text default null, _phone text default null
) returns void language plpgsql security definer set search_path = '' as $$
declare
  former public.profiles;
  corrected public.profiles;
begin
  perform private.require_duty('people');
  perform private.require_admin_for_staff(_user_id);
  select * into former from public.profiles where id = _user_id for no key update;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  elsif former.email is null then
    perform private.refuse('PT409', 'account_closed', 'This account is closed. It no longer says whose it was.');
  end if;
  corrected := former;
  corrected.full_name := private.clean_line(_full_name);
  corrected.phone := private.written_phone(_phone);
  if (former.full_name, former.phone) is not distinct from (corrected.full_name, corrected.phone) then return; end if;
  if (former.full_name, former.phone) is distinct from (_seen_name, _seen_phone) then
    perform private.refuse('PT409', 'person_changed',
      'The name or phone number has changed since you opened this page. Check them before you correct them.');
  end if;
  perform private.require_contact(null, null, 'phone', corrected.phone);
  -- Cleans and limits both, as when customers change their own.
  update public.profiles set full_name = corrected.full_name, phone = corrected.phone where id = _user_id;
  perform private.write_audit('profiles',
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'full_name', former.full_name, 'phone', former.phone),
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'full_name', corrected.full_name, 'phone', corrected.phone));
end $$;
select private.expose('correct_person', 'authenticated', 'service_role');

/* Whether the accounts are the embedded backend's own: a hosted project keeps its links and emails to itself. */
create function private.has_own_accounts()
returns boolean language sql stable set search_path = '' as $$
  select to_regclass('private_shop.account_tasks') is not null
$$;

/* Locks an account whose email staff change; of staff, only admins. */
create function private.lock_account(_user_id uuid)
returns auth.users language plpgsql security definer set search_path = '' as $$
declare
  account auth.users;
begin
  if not private.has_own_accounts() then
    perform private.refuse('PT409', 'own_account_only', 'In this shop, only customers themselves can change their email, under My Account.');
  end if;
  select * into account from auth.users where id = _user_id for update;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  elsif account.email is null then
    perform private.refuse('PT409', 'account_closed', 'This account is closed, and its details have been erased.');
  end if;
  -- Once it is locked: a role that is being given has then ended the change, or is seen.
  perform private.require_admin_for_staff(_user_id);
  return account;
end $$;

/*
 * Staff: asks the owner of another email address to confirm that they want it for this account, which keeps its address until then. Both
 * addresses get the emails of customers who change their own. _seen_email is the address that was shown. Repeated within a minute, it sends
 * nothing.
 */
create function private.request_email_change(_user_id uuid, _seen_email text, _email text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  account auth.users;
  requested constant text := lower(private.clean_line(_email));
begin
  perform private.require_duty('people');
  account := private.lock_account(_user_id);
  perform private.require_text('email', 'The email', requested, 254, true);
  perform private.require_contact('email', requested, null, null);
  perform private.require_plain_email('email', requested);
  if account.email is distinct from _seen_email then
    perform private.refuse('PT409', 'person_changed', 'The email has changed since you opened this page. Check it before you change it.');
  elsif account.email = requested then
    perform private.refuse('PT400', 'invalid_field', 'This is already their email address.',
      jsonb_build_object('field', 'email', 'rule', 'changed'));
  elsif exists (select from auth.users u where u.email = requested and u.email_confirmed_at is not null) then
    perform private.refuse('PT409', 'email_taken', 'Another account has this email address.');
  end if;
  if account.email_change = requested and account.email_change_sent_at > now() - interval '1 minute' then return; end if;
  update auth.users set email_change = requested, email_change_sent_at = now(), updated_at = now() where id = _user_id;
  execute 'insert into private_shop.account_tasks (task) values ($1)'
    using jsonb_build_object('kind', 'change-email', 'userId', _user_id, 'email', requested, 'redirectTo', null);
  perform private.write_audit('profiles',
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'new_email', account.email_change),
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'new_email', requested));
end $$;
select private.expose('request_email_change', 'authenticated', 'service_role');

/* Ends a change of email that has not been confirmed: its link no longer counts. */
create function private.end_email_change(_user_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.has_own_accounts() then return; end if;
  update auth.users set email_change = null, email_change_sent_at = null, updated_at = now() where id = _user_id and email_change is not null;
  if found then
    execute 'delete from private_shop.email_links where user_id = $1 and kind = ''email_change''' using _user_id;
  end if;
end $$;

/* Staff: takes back a change of email that has not been confirmed; its link no longer counts. Repeating it changes nothing. */
create function private.withdraw_email_change(_user_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  account auth.users;
begin
  perform private.require_duty('people');
  account := private.lock_account(_user_id);
  if account.email_change is null then return; end if;
  perform private.end_email_change(_user_id);
  perform private.write_audit('profiles',
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'new_email', account.email_change),
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'new_email', null));
end $$;
select private.expose('withdraw_email_change', 'authenticated', 'service_role');
