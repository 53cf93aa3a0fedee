-- Which migrations a database has: the shop's server checks before it serves a project, since a missing one would
-- show only when a customer meets it. Versions are not secret; the history table itself stays closed.

create function private.applied_migrations()
returns setof text language plpgsql stable security definer set search_path = '' as $$
begin
  return query select version from supabase_migrations.schema_migrations order by version;
exception when undefined_table or invalid_schema_name then
  return;
end $$;
grant execute on function private.applied_migrations to anon, authenticated, service_role;

create function public.list_applied_migrations()
returns setof text language sql stable set search_path = '' as $$
  select private.applied_migrations()
$$;
grant execute on function public.list_applied_migrations to anon, authenticated, service_role;
