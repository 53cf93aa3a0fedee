import { readdir, readFile } from "node:fs/promises";
import type { Sql } from "./sql.ts";
import { StartError } from "./start-error.ts";

/** One file of supabase/migrations: `<version>_<name>.sql`. */
export type Migration = { version: string; name: string; text: string };

/** The shop's migrations folder. */
export const migrationsFolder = new URL("../../supabase/migrations/", import.meta.url);

/** All migrations of a folder, in the order in which they apply. */
export async function listMigrations(folder: URL = migrationsFolder): Promise<Migration[]> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const named = files.flatMap((file) => {
    const match = /^(\d+)_(.+)\.sql$/.exec(file);
    return match ? [{ file, version: match[1] as string, name: match[2] as string }] : [];
  });
  named.sort((a, b) => a.version.localeCompare(b.version));
  return Promise.all(
    named.map(async ({ file, version, name }) => ({
      version,
      name,
      text: await readFile(new URL(file, folder), "utf8"),
    })),
  );
}

/** The Supabase CLI's own history table, so that both tools read the same truth. */
const historyTable = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text not null primary key, statements text[], name text
  );`;

type Applied = { version: string; statements: string[] | null };

/** What the history table says has been applied; empty where there is no such table. */
export async function listApplied(sql: Sql): Promise<Applied[]> {
  const [table] = await sql.query<{ found: boolean }>(
    "select to_regclass('supabase_migrations.schema_migrations') is not null as found",
  );
  if (!table?.found) return [];
  return sql.query<Applied>(
    "select version, statements from supabase_migrations.schema_migrations order by version",
  );
}

export type MigrationResult = {
  applied: Migration[];
  /** Applied earlier from a file whose text has changed since: such a change never reaches this database. */
  changed: string[];
};

/**
 * Applies what is missing, each file in one transaction together with its row in the history.
 * @throws StartError naming the migration and the database's complaint
 */
export async function applyMigrations(sql: Sql, migrations: Migration[]): Promise<MigrationResult> {
  await sql.exec(historyTable);
  const known = new Map((await listApplied(sql)).map((row) => [row.version, row.statements]));
  const applied: Migration[] = [];
  for (const migration of migrations) {
    if (known.has(migration.version)) continue;
    await sql
      .transaction(async (transaction) => {
        await transaction.exec(migration.text);
        await transaction.query(
          "insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, array[$3::text])",
          [migration.version, migration.name, migration.text],
        );
      })
      .catch((error: { message?: string; code?: string }) => {
        throw new StartError(
          `The migration ${migration.version}_${migration.name} failed: ${error.message} (${error.code ?? "no code"})`,
        );
      });
    applied.push(migration);
  }
  const changed = migrations.filter((migration) => {
    const statements = known.get(migration.version);
    return statements?.length === 1 && statements[0] !== migration.text;
  });
  return { applied, changed: changed.map((migration) => `${migration.version}_${migration.name}`) };
}
