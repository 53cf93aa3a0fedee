-- A profile is what the shop knows about a person with an account: name, phone, email, and where and how their orders
-- are delivered. It comes from a trigger on sign-up; its email follows the account. Customers read their own and
-- change all but the email; admins read all.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  email text,
  phone text,
  address text,
  city text,
  postal_code text,
  region text,
  landmark text,
  digital_address text,
  delivery_method text,
  bus_station text,
  created_at timestamptz not null default now(),
  -- The terms that applied at the sign-up; null for accounts older than the shop's tables.
  terms_version int default private.terms_version(),
  -- What the back office's search looks through; the phone also as bare digits.
  search_text text generated always as (
    coalesce(private.fold(full_name), '') || E'\n' || coalesce(private.fold(email), '') || E'\n'
    || coalesce(phone, '') || E'\n' || coalesce(regexp_replace(phone, '[^0-9]', '', 'g'), '')
  ) stored,
  constraint profiles_full_name_is_short check (length(full_name) <= 200),
  constraint profiles_email_is_short check (length(email) <= 320),
  constraint profiles_phone_is_short check (length(phone) <= 40),
  constraint profiles_address_is_short check (length(address) <= 600 and length(city) <= 200 and length(postal_code) <= 100),
  constraint profiles_delivery_is_sane
    check (private.is_delivery(region, landmark, digital_address, delivery_method, bus_station, null))
);
create index profiles_newest_first on public.profiles (created_at desc, id desc);
create index profiles_by_name on public.profiles (lower(full_name), id);
create index profiles_by_email on public.profiles (lower(email), id);
create index profiles_search on public.profiles using gin (search_text extensions.gin_trgm_ops);

alter table public.profiles enable row level security;
grant select on public.profiles to authenticated, service_role;
grant update (full_name, phone, address, city, postal_code, region, landmark, digital_address, delivery_method, bus_station) on public.profiles to authenticated;

create policy "customers read their own profile, staff all" on public.profiles
  for select to authenticated
  using (id = (select auth.uid()) or (select private.has_duty('people')));
create policy "customers change their own profile" on public.profiles
  for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));

create function private.check_profile()
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
  -- A digital address from before, which would be refused today, does not keep the rest from being saved.
  perform private.require_delivery(new.region, new.landmark,
    case when tg_op = 'INSERT' or new.digital_address is distinct from old.digital_address then new.digital_address end,
    new.delivery_method, new.bus_station, null);
  return new;
end $$;
create trigger check_profile before insert or update on public.profiles
  for each row execute function private.check_profile();

/*
 * Creates the profile of a new account from what was typed at sign-up, cut to the columns' limits. It must never fail
 * a sign-up: if anything goes wrong, it tries a profile with the email alone, then leaves the account without one.
 */
create function private.create_profile()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  begin
    insert into public.profiles (id, full_name, email, phone)
    values (
      new.id,
      left(private.clean_line(new.raw_user_meta_data ->> 'full_name'), 200),
      left(new.email, 320),
      left(private.clean_line(new.raw_user_meta_data ->> 'phone'), 40)
    )
    on conflict (id) do nothing;
  exception when others then
    begin
      insert into public.profiles (id, email) values (new.id, left(new.email, 320)) on conflict (id) do nothing;
    exception when others then
      raise warning 'A new account has no profile (%).', sqlstate;
    end;
  end;
  return null;
end $$;
create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();

create function private.follow_email()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles set email = left(new.email, 320) where id = new.id;
  return null;
exception when others then
  raise warning 'A profile could not follow its account''s email (%).', sqlstate;
  return null;
end $$;
create trigger follow_email after update of email on auth.users
  for each row when (old.email is distinct from new.email)
  execute function private.follow_email();

/*
 * Until its address is confirmed, an account contains whatever was typed last, perhaps by a stranger, so name and
 * phone follow it. From then on the profile belongs to the customer.
 */
create function private.follow_sign_up()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles
  set full_name = left(private.clean_line(new.raw_user_meta_data ->> 'full_name'), 200),
      phone = left(private.clean_line(new.raw_user_meta_data ->> 'phone'), 40)
  where id = new.id;
  return null;
exception when others then
  raise warning 'A profile could not follow its sign-up (%).', sqlstate;
  return null;
end $$;
create trigger follow_sign_up after update of raw_user_meta_data on auth.users
  for each row
  when (old.email_confirmed_at is null and old.raw_user_meta_data is distinct from new.raw_user_meta_data)
  execute function private.follow_sign_up();

-- Accounts older than the shop's tables.
insert into public.profiles (terms_version, id, full_name, email, phone, created_at)
select null, id, left(private.clean_line(raw_user_meta_data ->> 'full_name'), 200), left(email, 320),
       left(private.clean_line(raw_user_meta_data ->> 'phone'), 40), coalesce(created_at, now())
from auth.users
on conflict (id) do nothing;

create trigger tally_row after insert or delete on public.profiles for each row execute function private.tally_row();

create trigger forget_tallies after truncate on public.profiles for each statement execute function private.forget_tallies();
