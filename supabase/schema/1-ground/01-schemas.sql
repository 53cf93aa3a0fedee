-- The schemas and extensions, and who may reach what: nothing, until a file grants it by name.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;
create extension if not exists fuzzystrmatch with schema extensions;

-- Not among the exposed schemas: nothing in it can be called through the API. USAGE is needed because policies
-- and invoker functions name what lives here; EXECUTE is given function by function.
create schema if not exists private;
grant usage on schema private to anon, authenticated, service_role;

-- What the shop creates belongs to its owner alone until it is granted, even in a project that grants everything to everyone by default.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
