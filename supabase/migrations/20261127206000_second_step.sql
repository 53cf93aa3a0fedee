-- A second step at sign-in: staff who have one, or who need one, have their rights only in a session that has taken it.

/*
 * What a request lacks to have staff's rights: 'code' of a session that has not taken its person's second step, 'factor' of a person who
 * has none while the owner's setting requires one. Null if nothing. The only place that decides it.
 */
create function private.second_step_missing()
returns text language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from auth.mfa_factors where user_id = auth.uid() and status = 'verified') then
    return case when auth.jwt() ->> 'aal' = 'aal2' then null else 'code' end;
  end if;
  return case when (select value = 'true' from public.shop_settings where id = 'staffSecondStep') then 'factor' end;
end $$;

create or replace function private.is_admin()
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.user_roles where user_id = auth.uid() and role = 'admin')
    and private.second_step_missing() is null;
end $$;

create or replace function private.has_duty(_duty text)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(current_setting('role', true), 'none') not in ('anon', 'authenticated')
    or (exists (select from public.user_roles
                 where user_id = auth.uid() and (role = 'admin' or role = 'moderator' and _duty = 'reviews'))
        or exists (select from public.staff_duties where user_id = auth.uid() and duty = _duty))
       and private.second_step_missing() is null;
end $$;

create or replace function private.has_a_duty()
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(current_setting('role', true), 'none') not in ('anon', 'authenticated')
    or (exists (select from public.user_roles where user_id = auth.uid() and role in ('admin', 'moderator'))
        or exists (select from public.staff_duties where user_id = auth.uid()))
       and private.second_step_missing() is null;
end $$;


/* What the caller's session lacks to have staff's rights (private.second_step_missing): the page asks for the code, or leads to setting it up. */
create function private.own_second_step()
returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return private.second_step_missing();
end $$;
select private.expose('own_second_step', 'authenticated');

/* Where the caller is signed in, the latest first; `is_this` is the session that asks. At most 50. */
create function private.list_own_sessions()
returns table (id uuid, user_agent text, created_at timestamptz, last_used_at timestamptz, is_this boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select s.id, s.user_agent, s.created_at, greatest(s.created_at, s.updated_at, s.refreshed_at at time zone 'UTC'),
           s.id::text is not distinct from auth.jwt() ->> 'session_id'
      from auth.sessions s
     where s.user_id = auth.uid()
     order by 5 desc, 4 desc
     limit 50;
end $$;
select private.expose('list_own_sessions', 'authenticated');

/* Ends one of the caller's sessions; returns whether there was one. Its token counts for some seconds more, on a hosted project for up to an hour. */
create function private.end_own_session(_id uuid)
returns boolean language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions where id = _id and user_id = auth.uid();
  return found;
end $$;
select private.expose('end_own_session', 'authenticated');

/* Admins: which of these people have a second step. */
create function private.people_with_second_step(_ids uuid[])
returns setof uuid language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query select f.user_id from auth.mfa_factors f where f.user_id = any (_ids) and f.status = 'verified' group by 1;
end $$;
select private.expose('people_with_second_step', 'authenticated', 'service_role');

/*
 * Admins and the owner's command, for a lost phone: removes a person's second step and ends all their sessions. Returns whether there was
 * one. They are told by email; a hosted project sends none.
 */
create function private.remove_second_step(_user_id uuid)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  address text;
  removed int;
begin
  perform private.require_staff();
  select u.email into address from auth.users u where u.id = _user_id for update;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  end if;
  -- Whoever has waited may no longer be an admin.
  perform private.require_staff();
  delete from auth.mfa_factors where user_id = _user_id and status = 'verified';
  get diagnostics removed = row_count;
  delete from auth.mfa_factors where user_id = _user_id;
  if removed = 0 then return false; end if;
  delete from auth.sessions where user_id = _user_id;
  insert into public.audit_log (table_name, row_id, action, before)
  values ('second_steps', _user_id, 'delete', jsonb_build_object('user_id', _user_id));
  if address is not null and to_regclass('private_shop.account_tasks') is not null then
    execute 'insert into private_shop.account_tasks (task) values ($1)'
      using jsonb_build_object('kind', 'account-notice', 'notice', 'second-step-removed', 'email', address);
  end if;
  return true;
end $$;
select private.expose('remove_second_step', 'authenticated', 'service_role');

/*
 * Requiring the second step is for admins who have taken theirs: otherwise whoever turns it on would lock themselves out. The owner's
 * command can turn it off (the secret key).
 */
create function private.guard_second_step_setting()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('role', true) is distinct from 'authenticated' then return new; end if;
  perform private.require_staff();
  if new.value = 'true' and not exists (select from auth.mfa_factors where user_id = auth.uid() and status = 'verified') then
    perform private.refuse('PT409', 'own_second_step_first', 'Set up your own second step first, under My Account.');
  end if;
  return new;
end $$;

create trigger guard_second_step before insert or update on public.shop_settings
  for each row when (new.id = 'staffSecondStep') execute function private.guard_second_step_setting();

create or replace function private.setting_rules()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "name": {"kind": "line", "label": "Name", "max": 60, "required": true, "reader": "page"},
    "tagline": {"kind": "line", "label": "Tagline", "max": 200, "required": true, "reader": "page"},
    "description": {"kind": "text", "label": "Description", "max": 300, "reader": "page"},
    "legalName": {"kind": "line", "label": "Legal name", "max": 200, "reader": "page"},
    "registrationNumber": {"kind": "line", "label": "Registration number", "max": 60, "reader": "page"},
    "taxNumber": {"kind": "line", "label": "Tax number (TIN)", "max": 60, "reader": "page"},
    "address": {"kind": "lines", "label": "Address", "max": 100, "reader": "page"},
    "mapLink": {"kind": "url", "label": "Map link", "max": 500, "reader": "page"},
    "phones": {"kind": "phones", "label": "Phone numbers", "max": 30, "reader": "page"},
    "whatsApp": {"kind": "phone", "label": "WhatsApp number", "max": 30, "reader": "page"},
    "email": {"kind": "email", "label": "Email", "max": 254, "reader": "page"},
    "openingHours": {"kind": "lines", "label": "Opening hours", "max": 100, "reader": "page"},
    "facebook": {"kind": "url", "label": "Facebook page", "max": 500, "reader": "page"},
    "instagram": {"kind": "url", "label": "Instagram page", "max": 500, "reader": "page"},
    "headline": {"kind": "line", "label": "Headline", "max": 80, "required": true, "reader": "page"},
    "headlineEnd": {"kind": "line", "label": "End of the headline, in gold", "max": 80, "reader": "page"},
    "introduction": {"kind": "text", "label": "Introduction", "max": 300, "reader": "page"},
    "deliveryPromise": {"kind": "line", "label": "Promise after the introduction", "max": 200, "reader": "page"},
    "years": {"kind": "line", "label": "Years", "max": 20, "reader": "page"},
    "yearsInWords": {"kind": "line", "label": "Years in words", "max": 40, "reader": "page"},
    "publishers": {"kind": "line", "label": "Publishers", "max": 20, "reader": "page"},
    "regions": {"kind": "line", "label": "Regions", "max": 20, "reader": "page"},
    "institutions": {"kind": "line", "label": "Institutions", "max": 20, "reader": "page"},
    "guidedInstitutions": {"kind": "line", "label": "Institutions guided", "max": 20, "reader": "page"},
    "resources": {"kind": "line", "label": "Resources", "max": 20, "reader": "page"},
    "satisfaction": {"kind": "line", "label": "Satisfaction", "max": 20, "reader": "page"},
    "whyChoose": {"kind": "text", "label": "Under ''Why Choose …''", "max": 300, "reader": "page"},
    "listsReason": {"kind": "text", "label": "We know the book lists", "max": 400, "reader": "page"},
    "parcelReason": {"kind": "text", "label": "Everything in one parcel", "max": 400, "reader": "page"},
    "deliveryTitle": {"kind": "line", "label": "Delivery, in a few words", "max": 60, "reader": "page"},
    "deliveryReason": {"kind": "text", "label": "Delivery, as a reason to buy here", "max": 400, "reader": "page"},
    "trustReason": {"kind": "text", "label": "Trusted by schools", "max": 400, "reader": "page"},
    "storyIntroduction": {"kind": "text", "label": "Introduction", "max": 300, "reader": "server"},
    "story": {"kind": "lines", "label": "Our story", "max": 2000, "reader": "server"},
    "mission": {"kind": "text", "label": "Our mission", "max": 1000, "reader": "server"},
    "vision": {"kind": "text", "label": "Our vision", "max": 1000, "reader": "server"},
    "deliveryFees": {"kind": "fees", "label": "Delivery fees", "max": 99999.99, "reader": "page"},
    "deliveryTerms": {"kind": "text", "label": "Delivery times and terms", "max": 1000, "reader": "page"},
    "payment": {"kind": "text", "label": "How customers pay", "max": 1000, "reader": "page"},
    "taxes": {"kind": "taxes", "label": "Taxes included in the prices", "max": 100, "reader": "page"},
    "howToPay": {"kind": "text", "label": "How to pay, on invoices", "max": 1000, "reader": "page"},
    "deliveryNote": {"kind": "text", "label": "At the foot of a delivery note", "max": 1000, "reader": "page"},
    "quotePayment": {"kind": "text", "label": "How to pay, on quotes", "max": 1000, "reader": "page"},
    "quoteRequest": {"kind": "text", "label": "Above the form that requests a quote", "max": 1000, "reader": "page"},
    "searchOrder": {"kind": "choice", "label": "Searches are sorted by", "max": 20, "choices": ["title", "best"], "reader": "page"},
    "searchWords": {"kind": "words", "label": "Words that mean the same", "max": 100, "reader": "staff"},
    "lowStock": {"kind": "number", "label": "Low stock is fewer than", "min": 1, "max": 1000, "reader": "page"},
    "countAgainAbove": {"kind": "number", "label": "Count again above a difference of", "min": 0, "max": 1000, "reader": "staff"},
    "schoolTerms": {"kind": "terms", "label": "School terms", "max": 60, "reader": "staff"},
    "ownerEmail": {"kind": "email", "label": "Your email for notices", "max": 254, "reader": "staff"},
    "legalStatus": {"kind": "line", "label": "Legal status", "max": 200, "reader": "server"},
    "placeOfRegistration": {"kind": "line", "label": "Place of registration", "max": 200, "reader": "server"},
    "officeBearers": {"kind": "lines", "label": "Office bearers", "max": 100, "reader": "server"},
    "memberships": {"kind": "lines", "label": "Memberships", "max": 200, "reader": "server"},
    "codeOfConduct": {"kind": "line", "label": "Code of conduct", "max": 200, "reader": "server"},
    "disputes": {"kind": "text", "label": "Settling disputes", "max": 1000, "reader": "server"},
    "dataProtectionNumber": {"kind": "line", "label": "Data Protection Commission number", "max": 60, "reader": "server"},
    "deliveryAndReturns": {"kind": "text", "label": "Delivery and returns", "max": 20000, "reader": "server"},
    "terms": {"kind": "text", "label": "Terms", "max": 20000, "reader": "server"},
    "privacy": {"kind": "text", "label": "Privacy", "max": 20000, "reader": "server"},
    "forgetOrdersAfterYears": {"kind": "number", "label": "Years until names are removed from orders", "min": 0, "max": 50, "reader": "server"},
    "forgetRegistrationsAfterDays": {"kind": "number", "label": "Days until registrations for events are deleted", "min": 1, "max": 365, "reader": "server"},
    "staffSecondStep": {"kind": "yes", "label": "Staff need a second step at sign-in", "max": 0, "reader": "staff"},
    "openingDone": {"kind": "lines", "label": "Done or dismissed on the dashboard''s list of first steps", "max": 60, "reader": "staff"}
  }'::jsonb
$$;

