-- The terms on which the shop sells, every text that has applied once, so that accounts and orders can say which they accepted. The texts
-- are settings (shared/owner/legal-texts.ts has the first); the page on delivery and returns is part of the terms.

/*
 * What settings are while no admin has changed them: the values of the owner's files, as the last start gave them. `paysOnline`, whether
 * customers pay online, is here too: it belongs to the environment.
 */
create table private.first_settings (
  name text primary key,
  value jsonb not null
);
alter table private.first_settings enable row level security;

/* What first settings were before the owner's files changed, each until the start that brought its next value. */
create table private.earlier_first_settings (
  name text,
  value jsonb not null,
  until timestamptz default clock_timestamp(),
  primary key (name, until)
);
alter table private.earlier_first_settings enable row level security;

/*
 * A setting as it was then, by the log of changes and the owner's files of that time; without a time, as it is. Null in a database whose
 * shop has not started yet.
 */
create function private.setting_at(_name text, _at timestamptz default null)
returns jsonb language sql stable security definer set search_path = '' as $$
  -- A change without a value before it was the first: until then the value of the owner's files applied.
  select case when changed.id is not null and changed.before is not null then changed.before -> 'value'
              when changed.id is null and s.id is not null then s.value
              else coalesce(
                (select e.value from private.earlier_first_settings e where e.name = _name and e.until > _at order by e.until limit 1),
                (select f.value from private.first_settings f where f.name = _name)) end
    from (select) as one
    left join public.shop_settings s on s.id = _name
    left join lateral (
      select l.id, l.before from public.audit_log l
       where l.table_name = 'shop_settings' and l.row_id = _name and l.happened_at > _at order by l.id limit 1) as changed on true
$$;

/* The settings that name the seller on documents, as they were then; without a time, as they are. Those that nobody knows are missing. */
create function private.seller_at(_at timestamptz)
returns jsonb language sql stable set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_object_agg(name, private.setting_at(name, _at)))
    from unnest('{name,legalName,registrationNumber,taxNumber,address,phones,email}'::text[]) as name
$$;

create table public.terms_versions (
  version int primary key generated always as identity,
  terms text not null default '',
  delivery_and_returns text not null default '',
  -- From when on it applied.
  published_at timestamptz not null default now(),
  -- What the names in the two texts stood for: the settings that they show, by name, and `paysOnline`. Null until the next start for
  -- a version that is older than this column.
  settings jsonb
);
alter table public.terms_versions enable row level security;
grant select on public.terms_versions to anon, authenticated, service_role;

create policy "everyone reads the terms that apply or have applied" on public.terms_versions
  for select to anon, authenticated using (published_at <= now());

/* The terms that apply now; null in a database whose shop has not started yet. */
create function private.terms_version()
returns int language sql stable set search_path = '' as $$
  select max(version) from public.terms_versions
$$;
grant execute on function private.terms_version to authenticated, service_role;

/* The names that the texts may have in {brackets}, and the settings from which app/features/law/law-values.ts makes their words. */
create function private.names_in_terms()
returns table (name text, settings text[]) language sql immutable parallel safe set search_path = '' as $$
  values
    ('name', '{name}'::text[]),
    ('legalName', '{legalName}'),
    ('responsible', '{name,legalName}'),
    ('address', '{address}'),
    ('phones', '{phones}'),
    ('email', '{email}'),
    ('contact', '{phones,email}'),
    ('registrationNumber', '{registrationNumber}'),
    ('dataProtectionNumber', '{dataProtectionNumber}'),
    ('deliveryTerms', '{deliveryTerms}'),
    ('deliveryFees', '{deliveryFees}'),
    ('payment', '{payment,paysOnline}'),
    ('paystack', '{paysOnline}'),
    ('paystackData', '{paysOnline}'),
    ('taxes', '{taxes}'),
    ('disputes', '{disputes}'),
    ('retention', '{forgetOrdersAfterYears}'),
    ('kept', '{forgetRegistrationsAfterDays}'),
    ('facts', '{name,legalName,legalStatus,registrationNumber,placeOfRegistration,officeBearers,taxNumber,address,phones,email,memberships,codeOfConduct}')
$$;

/* A setting as the terms show it: two values that look the same there are the same. */
create function private.setting_in_terms(_name text, _at timestamptz)
returns jsonb language sql stable set search_path = '' as $$
  select case
    -- Those who pay online read of that in its place.
    when _name = 'payment' and private.setting_at('paysOnline', _at) = 'true' then '""'
    when _name = 'legalName' and value = '""' then private.setting_at('name', _at)
    when jsonb_typeof(value) = 'string' then to_jsonb(regexp_replace(value #>> '{}', '\s+', ' ', 'g'))
    when jsonb_typeof(value -> 0) = 'string' then
      jsonb_build_array((select string_agg(line, ', ' order by n) from jsonb_array_elements_text(value) with ordinality as l (line, n)))
    else value end
    from private.setting_at(_name, _at) as value
$$;

/* What the names in a text stand for. */
create function private.settings_in_terms(_text text, _at timestamptz)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(used.name, used.value), '{}')
    from (select setting.name, private.setting_in_terms(setting.name, _at) as value
            from (select distinct unnest(n.settings) as name from private.names_in_terms() as n
                   where position('{' || n.name || '}' in _text) > 0) as setting) as used
   where used.value is not null
$$;

/*
 * Makes a new version of the terms if what the two pages say has changed. Lines and empty lines alone make none: the version in force
 * then gets the new ones.
 */
create function private.publish_terms()
returns void language plpgsql security definer set search_path = '' as $$
declare
  latest public.terms_versions;
  next public.terms_versions;
begin
  -- Several machines may start at the same time, or an admin save meanwhile: what is read below is what the one before has written.
  perform pg_advisory_xact_lock(hashtext('public.terms_versions'));
  -- The shop has not started yet: what the owner's files say is unknown, even if an admin has changed one of the two texts.
  if (select count(*) from private.first_settings f where f.name in ('terms', 'deliveryAndReturns')) < 2 then return; end if;
  next.terms := private.setting_at('terms') #>> '{}';
  next.delivery_and_returns := private.setting_at('deliveryAndReturns') #>> '{}';
  next.settings := private.settings_in_terms(next.terms || next.delivery_and_returns, null);
  -- Versions from before settings were kept: with the words that were shown last.
  update public.terms_versions as v
     set settings = private.settings_in_terms(v.terms || v.delivery_and_returns,
           (select min(later.published_at) - interval '1 microsecond' from public.terms_versions as later where later.version > v.version))
   where v.settings is null;
  select * into latest from public.terms_versions order by version desc limit 1;
  if private.words_of_terms(next) = private.words_of_terms(latest) then
    update public.terms_versions set terms = next.terms, delivery_and_returns = next.delivery_and_returns
     where version = latest.version and (terms, delivery_and_returns) is distinct from (next.terms, next.delivery_and_returns);
  else
    insert into public.terms_versions (terms, delivery_and_returns, settings)
    values (next.terms, next.delivery_and_returns, next.settings);
  end if;
end $$;

/* All that decides the words of a version. */
create function private.words_of_terms(_version public.terms_versions)
returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_build_array(regexp_replace(_version.terms, '\s+', ' ', 'g'),
                           regexp_replace(_version.delivery_and_returns, '\s+', ' ', 'g'), _version.settings)
$$;
