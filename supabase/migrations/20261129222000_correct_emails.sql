-- Staff correct a person's email: it changes once the owner of the new address confirms it.

create or replace function private.scrub(_row jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select _row || coalesce((
    select jsonb_object_agg(key, null) from jsonb_object_keys(_row) as key
    where key = any (private.personal_order_texts() || '{review_text,full_name,email,new_email,phone,institution,contact_name,contact_email,contact_phone,'
                                              'message,note,purchase_order_number}')), '{}')
$$;

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
               'due', coalesce(sum(o.total_amount - o.paid_amount) filter (where o.payment_state in ('due', 'part_paid')), 0),
               'back', coalesce(sum(o.owed_back), 0))
        from private.orders_of_person(_user_id) as o) end,
    'order_notes', case when private.has_duty('orders') then private.newest_of_person(_user_id,
      'select n.id, n.body, n.created_at, o.number, coalesce(p.full_name, p.email) as by_name
         from private.orders_of_person($1) as o join public.order_notes n on n.order_id = o.id
         left join public.profiles p on p.id = n.actor where n.body is not null') end,
    'quotes', case when private.has_duty('schools') then private.newest_of_person(_user_id,
      'select q.id, q.reference, q.institution, private.quote_status(q.status, q.valid_until) as status, q.created_at
         from public.quotes q where q.user_id = $1') end,
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
  perform private.require_admin_for_staff(_user_id);
  if not private.has_own_accounts() then
    perform private.refuse('PT409', 'own_account_only', 'In this shop, only customers themselves can change their email, under My Account.');
  end if;
  select * into account from auth.users where id = _user_id for update;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  elsif account.email is null then
    perform private.refuse('PT409', 'account_closed', 'This account is closed. It no longer says whose it was.');
  end if;
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
    perform private.refuse('PT409', 'person_changed', 'The email has changed since you opened this page. Check it before you correct it.');
  elsif account.email = requested then
    perform private.refuse('PT400', 'invalid_field', 'This is their email address now.',
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

/* Staff: takes back a change of email that has not been confirmed; its link no longer counts. Repeating it changes nothing. */
create function private.withdraw_email_change(_user_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  account auth.users;
begin
  perform private.require_duty('people');
  account := private.lock_account(_user_id);
  if account.email_change is null then return; end if;
  update auth.users set email_change = null, email_change_sent_at = null, updated_at = now() where id = _user_id;
  execute 'delete from private_shop.email_links where user_id = $1 and kind = ''email_change''' using _user_id;
  perform private.write_audit('profiles',
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'new_email', account.email_change),
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'new_email', null));
end $$;
select private.expose('withdraw_email_change', 'authenticated', 'service_role');
