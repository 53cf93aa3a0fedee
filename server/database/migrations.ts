import { createHash } from "node:crypto";
import { StartError } from "../lib/start-error.ts";
import { howToMove } from "./how-to-move.ts";
import type { Migration } from "./migration-files.ts";
import type { Sql } from "./sql.ts";

/** The Supabase CLI's own history table, so that both tools read the same truth. */
const historyTable = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text not null primary key, statements text[], name text
  );`;

/** `sha256` is the hash of the migration's text, or null if the Supabase CLI recorded it as several statements. */
type Applied = { version: string; sha256: string | null };

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** What the history table says has been applied; empty if the table does not exist. */
export async function listApplied(sql: Sql): Promise<Applied[]> {
  const [table] = await sql.query<{ found: boolean }>(
    "select to_regclass('supabase_migrations.schema_migrations') is not null as found",
  );
  if (!table?.found) return [];
  return sql.query<Applied>(
    `select version,
            case cardinality(statements) when 1 then encode(sha256(convert_to(statements[1], 'UTF8')), 'hex') end as sha256
     from supabase_migrations.schema_migrations order by version`,
  );
}

/** How far a database has been migrated. */
export type Position = {
  /** Whether any have been applied. */
  used: boolean;
  pending: Migration[];
};

/** Whether a database or a backup has a migration from before the first release, which replaced them all by one. */
export const isFromBeforeRelease = (versions: string[], [first]: Migration[]): boolean =>
  first !== undefined && versions.some((version) => version < first.version);

/**
 * Compares a database's history with the files.
 * @throws StartError when it is a later version's, from before the first release, or was made from files whose text
 * has since changed: such a change would never reach it
 */
export async function comparePosition(sql: Sql, migrations: Migration[]): Promise<Position> {
  const applied = await listApplied(sql);
  if (
    isFromBeforeRelease(
      applied.map(({ version }) => version),
      migrations,
    )
  )
    throw new StartError(`The database was made by a version from before the first release: ${howToMove}`);
  const unknown = applied.find(({ version }) => !migrations.some((known) => known.version === version));
  if (unknown) {
    throw new StartError(
      `The database is a later version's (its migration ${unknown.version}): start that version of the shop, or a newer one`,
    );
  }
  const changed = migrations.find(({ version, text }) => {
    const recorded = applied.find((row) => row.version === version)?.sha256;
    return recorded ? recorded !== sha256(text) : false;
  });
  if (changed) {
    throw new StartError(
      `The database was made from another text of the migration ${changed.version}_${changed.name}: ${howToMove}`,
    );
  }
  const done = new Set(applied.map(({ version }) => version));
  return { used: done.size > 0, pending: migrations.filter(({ version }) => !done.has(version)) };
}

/**
 * Applies missing migrations, each file in one transaction with its row in the history.
 * @returns what was applied
 * @throws StartError naming the migration and the database's error, and as `comparePosition` does
 */
export async function applyMigrations(sql: Sql, migrations: Migration[]): Promise<Migration[]> {
  await sql.exec(historyTable);
  const { pending } = await comparePosition(sql, migrations);
  for (const migration of pending) {
    await sql
      .transaction(async (transaction) => {
        await transaction.exec(migration.text);
        await transaction.query(
          "insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, array[$3::text])",
          [migration.version, migration.name, migration.text],
        );
      }, "unbounded")
      .catch((error: { message?: string; code?: string }) => {
        throw new StartError(
          `The migration ${migration.version}_${migration.name} failed: ${error.message} (${error.code ?? "no code"})`,
        );
      });
  }
  return pending;
}
