-- The schema auth: the part of a hosted project's (Supabase Auth) that the shop, its migrations and its moves use, with the same
-- names. Run at every version's first start; each statement skips what exists.

create schema if not exists auth;
create schema if not exists private_shop;

-- Who asks, as the data API puts it into the transaction.
create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
  )::uuid
$$;
create or replace function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
  )
$$;
create or replace function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
  )
$$;
create or replace function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb
$$;

create table if not exists auth.users (
  id uuid primary key,
  aud varchar(255) default 'authenticated',
  role varchar(255) default 'authenticated',
  email varchar(255),
  encrypted_password varchar(255),
  phone text unique,
  email_confirmed_at timestamptz,
  confirmed_at timestamptz generated always as (
    case
      when email_confirmed_at is null then phone_confirmed_at
      when phone_confirmed_at is null then email_confirmed_at
      when email_confirmed_at < phone_confirmed_at then email_confirmed_at
      else phone_confirmed_at
    end
  ) stored,
  invited_at timestamptz,
  confirmation_token varchar(255),
  confirmation_sent_at timestamptz,
  recovery_token varchar(255),
  recovery_sent_at timestamptz,
  email_change varchar(255),
  email_change_token_new varchar(255),
  email_change_token_current varchar(255),
  email_change_sent_at timestamptz,
  email_change_confirm_status smallint default 0 check (email_change_confirm_status between 0 and 2),
  phone_confirmed_at timestamptz,
  phone_change text,
  phone_change_token varchar(255),
  phone_change_sent_at timestamptz,
  reauthentication_token varchar(255),
  reauthentication_sent_at timestamptz,
  raw_app_meta_data jsonb default '{}'::jsonb,
  raw_user_meta_data jsonb default '{}'::jsonb,
  banned_until timestamptz,
  deleted_at timestamptz,
  is_sso_user boolean not null default false,
  is_anonymous boolean not null default false,
  last_sign_in_at timestamptz,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create index if not exists users_by_banned_until on auth.users (banned_until) where banned_until is not null;
create unique index if not exists users_email_partial_key on auth.users (email) where is_sso_user = false;

create table if not exists auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  not_after timestamptz,
  refreshed_at timestamp without time zone,
  user_agent text,
  ip inet,
  tag text,
  refresh_token_hmac_key text,
  refresh_token_counter bigint,
  scopes text check (scopes is null or length(scopes) <= 4096),
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  aal text check (aal in ('aal1', 'aal2', 'aal3')),
  factor_id uuid
);
create index if not exists sessions_user_id_idx on auth.sessions (user_id);

create table if not exists auth.refresh_tokens (
  id text primary key,
  token varchar(255) not null,
  user_id uuid not null,
  session_id uuid references auth.sessions (id) on delete cascade,
  revoked boolean default false,
  -- The token that this one replaced.
  parent varchar(255),
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create index if not exists refresh_tokens_token_idx on auth.refresh_tokens (token);
create index if not exists refresh_tokens_user_id_idx on auth.refresh_tokens (user_id);
create index if not exists refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);

-- How a session was signed in to: 'password' or 'otp', then 'totp' or 'recovery_code', each with the time it was last
-- used.
create table if not exists auth.mfa_amr_claims (
  session_id uuid not null references auth.sessions (id) on delete cascade,
  authentication_method text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (session_id, authentication_method)
);

-- The second step at sign-in: one authenticator app per person.
create table if not exists auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type text not null check (factor_type = 'totp'),
  status text not null check (status in ('unverified', 'verified')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Encrypted with a key that is not in the database (server/api/accounts/totp.ts).
  secret text not null,
  last_challenged_at timestamptz
);
create index if not exists mfa_factors_user_id_idx on auth.mfa_factors (user_id);
create unique index if not exists mfa_factors_one_verified on auth.mfa_factors (user_id) where status = 'verified';

create table if not exists auth.mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at timestamptz not null
);
create index if not exists mfa_challenges_by_factor on auth.mfa_challenges (factor_id);

-- What follows is the embedded backend's own; a hosted project keeps it in its own ways.

-- The links of emails, as hashes: so a reader of the database or a backup cannot follow them.
create table if not exists private_shop.email_links (
  token_hash text primary key,
  kind text not null check (kind in ('signup', 'recovery', 'email_change')),
  user_id uuid not null references auth.users (id) on delete cascade,
  email text not null,
  created_at timestamptz not null
);
create index if not exists email_links_by_user on private_shop.email_links (user_id);

-- Requests that are answered before it is known whose address they name: the work is done in the order of arrival.
create table if not exists private_shop.account_tasks (
  id bigint generated always as identity primary key,
  task jsonb not null,
  created_at timestamptz not null default now()
);
-- Until then it belongs to whoever is sending its emails.
alter table private_shop.account_tasks add column if not exists due_at timestamptz not null default '-infinity';

-- Passwords of sign-ups, by the address as a hash, also of addresses that have an account: with the right one a sign-in is
-- gets the same answer either way: the address is not confirmed.
create table if not exists private_shop.sign_ups (
  address text primary key,
  password_hash text not null,
  signed_up_at timestamptz not null
);

-- Rate limits: how often something was tried in a window of time. Keys are hashes.
create table if not exists private_shop.attempts (
  key text primary key,
  attempts int not null,
  ends_at timestamptz not null
);
create index if not exists attempts_by_end on private_shop.attempts (ends_at);

-- From where people have signed in, as hashes: there, wrong guesses of others do not lock them out.
create table if not exists private_shop.known_networks (
  user_id uuid not null references auth.users (id) on delete cascade,
  network text not null,
  seen_at timestamptz not null,
  primary key (user_id, network)
);
create index if not exists known_networks_by_network on private_shop.known_networks (network);

-- The last step whose code was accepted: each code works once.
create table if not exists private_shop.used_steps (
  factor_id uuid primary key references auth.mfa_factors (id) on delete cascade,
  step bigint not null
);

-- Codes for a lost phone, as hashes that need the shop's key. A used one is deleted.
create table if not exists private_shop.recovery_codes (
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  code_hash text not null,
  primary key (factor_id, code_hash)
);

-- The browsers in which people have signed in, as hashes: an email tells of a new one.
create table if not exists private_shop.known_devices (
  user_id uuid not null references auth.users (id) on delete cascade,
  device text not null,
  seen_at timestamptz not null,
  primary key (user_id, device)
);

/*
 * Counts one attempt under each key and returns 0; if any key has reached its limit, counts nothing and returns for how many
 * milliseconds. Concurrent attempts wait for one another. Not flushed to disk immediately: a power cut may lose the last attempts.
 */
create or replace function private_shop.count_attempt(
  _keys text[], _limits int[], _windows_ms bigint[], _now timestamptz
) returns bigint language plpgsql set search_path = '' as $$
declare
  wait_ms bigint;
begin
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(hashtextextended(sorted.key, 47))
  from (select unnest(_keys) as key order by 1) as sorted;
  select ceil(max(extract(epoch from known.ends_at - _now)) * 1000) into wait_ms
  from unnest(_keys, _limits) as asked (key, most)
  join private_shop.attempts as known using (key)
  where known.ends_at > _now and known.attempts >= asked.most;
  if wait_ms is not null then return wait_ms; end if;
  insert into private_shop.attempts as known (key, attempts, ends_at)
  select asked.key, 1, _now + asked.window_ms * interval '1 millisecond'
  from unnest(_keys, _windows_ms) as asked (key, window_ms) order by asked.key
  on conflict (key) do update
    set attempts = case when known.ends_at > _now then known.attempts + 1 else 1 end,
        ends_at = case when known.ends_at > _now then known.ends_at else excluded.ends_at end;
  if random() < 0.02 then
    delete from private_shop.attempts where key in (
      select key from private_shop.attempts where ends_at <= _now limit 500 for update skip locked);
  end if;
  return 0;
end $$;
revoke execute on function private_shop.count_attempt(text[], int[], bigint[], timestamptz) from public;
