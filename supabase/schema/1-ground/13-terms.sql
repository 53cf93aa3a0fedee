-- The terms on which the shop sells, every text that has applied once, so that accounts and orders can say which they accepted. The texts
-- are settings (app/owner/legal-texts.ts has the first); the page on delivery and returns is part of the terms.

create table public.terms_versions (
  version int primary key generated always as identity,
  terms text not null default '',
  delivery_and_returns text not null default '',
  -- From when on it applied.
  published_at timestamptz not null default now()
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

/*
 * A changed text of the setting `terms` or `deliveryAndReturns` makes a new version of the terms. Changed together, they make one.
 */
create function private.publish_terms(_setting text, _text text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  latest public.terms_versions;
  next public.terms_versions;
begin
  -- Several machines may start at the same time.
  perform pg_advisory_xact_lock(hashtext('public.terms_versions'));
  select * into latest from public.terms_versions order by version desc limit 1;
  next := latest;
  if _setting = 'terms' then next.terms := _text; else next.delivery_and_returns := _text; end if;
  if next is not distinct from latest then return; end if;
  if latest.published_at = now() then
    update public.terms_versions set terms = next.terms, delivery_and_returns = next.delivery_and_returns where version = latest.version;
  else
    insert into public.terms_versions (terms, delivery_and_returns)
    values (coalesce(next.terms, ''), coalesce(next.delivery_and_returns, ''));
  end if;
end $$;
