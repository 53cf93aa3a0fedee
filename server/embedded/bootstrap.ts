import { createHash } from "node:crypto";
import { getAuthSchemaSql, getStorageSchemaSql, SUPABASE_AUTH_HELPERS_SQL } from "@supabase/lite";
import type { Sql } from "./sql.ts";
import { StartError } from "./start-error.ts";

/*
 * What a hosted project has before its first migration. No default privileges in the schema public: hosted projects
 * give none, and each migration grants by name.
 */

/** The library's own schemas: helper functions of policies, accounts, files. */
const systemSchemas = [SUPABASE_AUTH_HELPERS_SQL, getAuthSchemaSql(), getStorageSchemaSql()].join("\n;\n");

const libraryVersion = createHash("sha256").update(systemSchemas).digest("hex").slice(0, 16);

const roles = { anon: "nologin", authenticated: "nologin", service_role: "nologin bypassrls" };

/** The roles that requests take on, and the schema of extensions. */
async function prepareRoles(sql: Sql): Promise<void> {
  const found = await sql.query<{ rolname: string }>(
    "select rolname from pg_roles where rolname = any (array['anon', 'authenticated', 'service_role'])",
  );
  const missing = Object.entries(roles).filter(([role]) => !found.some((row) => row.rolname === role));
  try {
    for (const [role, options] of missing) await sql.exec(`create role ${role} ${options}`);
    await sql.exec(`
      create schema if not exists extensions;
      grant anon, authenticated, service_role to current_user;
      grant usage on schema public, extensions to anon, authenticated, service_role;`);
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(`The database's user may not make what the shop needs: ${message.split("\n")[0]}`);
  }
}

/** The library's own schemas, and the rights in them that a hosted project gives. */
async function makeSystemSchemas(sql: Sql): Promise<void> {
  await sql.exec(systemSchemas);
  await sql.exec(`
    grant usage on schema auth, storage to anon, authenticated, service_role;
    grant execute on all functions in schema auth, storage to anon, authenticated, service_role;
    grant all on storage.objects, storage.buckets to anon, authenticated, service_role;
    alter table storage.objects enable row level security;
    alter table storage.buckets enable row level security;`);
}

/**
 * Makes a database what a hosted project is before its first migration: roles, extensions' schema, accounts, files.
 * Does nothing where this has been done by the same version of the library.
 */
export async function prepareDatabase(sql: Sql): Promise<void> {
  const state = "private_shop.library";
  const [table] = await sql.query<{ found: boolean }>("select to_regclass($1) is not null as found", [state]);
  const done = table?.found
    ? await sql.query(`select from ${state} where version = $1`, [libraryVersion])
    : [];
  if (done.length > 0) return;
  await sql.transaction(async (transaction) => {
    await prepareRoles(transaction);
    await makeSystemSchemas(transaction);
    await transaction.exec(`
      create schema if not exists private_shop;
      create table if not exists ${state} (version text primary key, prepared_at timestamptz default now());`);
    await transaction.query(`insert into ${state} (version) values ($1)`, [libraryVersion]);
  });
}

/** The rights of every table, column and function of the schema public, as one text. */
export async function readRights(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ rights: string | null }>(`
    select string_agg(entry, E'\\n' order by entry) as rights from (
      select format('%s %s', c.oid::regclass, c.relacl) as entry
      from pg_class c where c.relnamespace = 'public'::regnamespace
      union all
      select format('%s.%s %s', a.attrelid::regclass, a.attname, a.attacl)
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and a.attacl is not null
      union all
      select format('%s %s', p.oid::regprocedure, p.proacl)
      from pg_proc p where p.pronamespace = 'public'::regnamespace
      union all
      select format('default %s %s', d.defaclobjtype, d.defaclacl)
      from pg_default_acl d where d.defaclnamespace = 'public'::regnamespace
    ) entries`);
  return row?.rights ?? "";
}
