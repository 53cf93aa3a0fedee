import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Sql } from "../database/sql.ts";
import { StartError } from "../lib/start-error.ts";

/*
 * Sets up what a hosted project has before its first migration. No default privileges in the schema public: hosted
 * projects grant none, and each migration grants by name.
 */

/** Accounts and files: the parts of a hosted project's own schemas that the shop uses. */
const systemSchemas = ["auth", "storage"]
  .map((name) => readFileSync(new URL(`schema/${name}.sql`, import.meta.url), "utf8"))
  .join("\n;\n");

const schemasVersion = createHash("sha256").update(systemSchemas).digest("hex").slice(0, 16);

const roles = { anon: "nologin", authenticated: "nologin", service_role: "nologin bypassrls" };

/**
 * Roles belong to the whole server, so a shop that starts in another database at the same moment may create
 * this one first.
 */
export const makeRole = (sql: Sql, role: string, options: string) =>
  sql.exec(`do $$ begin
    create role ${role} ${options};
  exception when duplicate_object or unique_violation then null;
  end $$`);

/** The roles that requests take on, and the schema of extensions. */
async function prepareRoles(sql: Sql): Promise<void> {
  const found = await sql.query<{ rolname: string }>(
    "select rolname from pg_roles where rolname = any (array['anon', 'authenticated', 'service_role'])",
  );
  const missing = Object.entries(roles).filter(([role]) => !found.some((row) => row.rolname === role));
  try {
    for (const [role, options] of missing) await makeRole(sql, role, options);
    await sql.exec(`
      create schema if not exists extensions;
      grant anon, authenticated, service_role to current_user;
      grant usage on schema public, extensions to anon, authenticated, service_role;`);
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(`The database's user may not make what the shop needs: ${message.split("\n")[0]}`);
  }
}

/** The system's schemas, with the rights that a hosted project grants in them. */
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
 * Prepares a database like a hosted project before its first migration: roles, the schema of extensions, accounts,
 * files. Does nothing if the same version has already done this.
 */
export async function prepareDatabase(sql: Sql): Promise<void> {
  const state = "private_shop.library";
  const [table] = await sql.query<{ found: boolean }>("select to_regclass($1) is not null as found", [state]);
  const done = table?.found
    ? await sql.query(`select from ${state} where version = $1`, [schemasVersion])
    : [];
  if (done.length > 0) return;
  await sql.transaction(async (transaction) => {
    await prepareRoles(transaction);
    await makeSystemSchemas(transaction);
    await transaction.exec(`
      create schema if not exists private_shop;
      create table if not exists ${state} (version text primary key, prepared_at timestamptz default now());`);
    await transaction.query(`insert into ${state} (version) values ($1)`, [schemasVersion]);
  });
}
