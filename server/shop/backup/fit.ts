import type { Sql } from "../../database/sql.ts";
import { StartError } from "../../lib/start-error.ts";
import type { Position, Table } from "./tables.ts";

/** The system's tables differ between versions; nothing of the shop's own tables may be lost. */
const ofSystem = /^(auth|storage|private_shop)\./;

const misfit = (what: string) => new StartError(`The backup does not fit this version: ${what}`);

/** This version's form of a table in the backup; null when it has no such table. */
export type Fit = { table: Table; unknown: string[] } | null;

/** @throws StartError when a table of the shop, or a column of one, would be left out */
export function matchTable(existing: Table[], { name, columns }: Table): Fit {
  const found = existing.find((table) => table.name === name);
  const unknown = columns.filter((column) => !found?.columns.includes(column));
  if (unknown.length > 0 && !ofSystem.test(name)) throw misfit(`${name} has no ${unknown[0]}`);
  return found
    ? { table: { name, columns: columns.filter((each) => !unknown.includes(each)) }, unknown }
    : null;
}

export async function withoutColumns(sql: Sql, rows: string[], columns: string[]): Promise<string[]> {
  if (columns.length === 0) return rows;
  const keys = columns.map((column) => column.replace(/^"|"$/g, ""));
  const reduced = await sql.query<{ row: string }>(
    `select (value - array(select jsonb_array_elements_text($2::text::jsonb)))::text as row
     from jsonb_array_elements($1::text::jsonb)`,
    [`[${rows.join(",")}]`, JSON.stringify(keys)],
  );
  return reduced.map(({ row }) => row);
}

/** Sets a sequence to its last number. */
export async function setPosition(sql: Sql, { name, last }: Position): Promise<void> {
  if (last === null) return;
  const [found] = await sql.query<{ found: boolean }>("select to_regclass($1) is not null as found", [name]);
  if (found?.found) await sql.query("select setval($1::text::regclass, $2::text::bigint)", [name, last]);
  else if (!ofSystem.test(name)) throw misfit(`there is no ${name}`);
}
