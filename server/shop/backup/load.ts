import type { Sql } from "../../database/sql.ts";
import { StartError } from "../../lib/start-error.ts";
import { type FileHead, type Manifest, readBackup } from "./backup-file.ts";
import { type Fit, matchTable, setPosition, withoutColumns } from "./fit.ts";
import { excludedTables, listTables, readRows, type Table } from "./tables.ts";
import { RowTally } from "./tally.ts";

/** Restores rows unchanged, generated ids included; computed columns are computed again. */
async function insertRows(sql: Sql, { name, columns }: Table, rows: string[]): Promise<void> {
  await sql.query(
    `insert into ${name} (${columns.join(", ")}) overriding system value
     select ${columns.join(", ")} from jsonb_populate_recordset(null::${name}, $1::text::jsonb)`,
    [`[${rows.join(",")}]`],
  );
}

/** Counts a table's rows and computes its checksum, as for the backup's manifest. */
async function tallyOf(sql: Sql, table: Table) {
  const tally = new RowTally();
  for await (const rows of readRows(sql, table)) for (const row of rows) tally.add(row);
  return tally.result();
}

const placedAt = (row: string) => String((JSON.parse(row) as { created_at: string }).created_at);

/** Orders of the first version have no numbers: they are numbered in the order in which they were placed. */
const lacksNumbers = ({ name, columns }: Table) => name === "public.orders" && !columns.includes("number");

/** What to load from a backup, and where. */
export type Load = {
  /** Whether to fill a table, named with its schema; all of them by default. */
  only?: (table: string) => boolean;
  /** Receives the covers. */
  save: (head: FileHead, content: Buffer) => Promise<void>;
};

export type Loaded = {
  manifest: Manifest;
  /** Tables and columns of the system's schemas that this version does not have. */
  leftOut: string[];
};

/**
 * Fills a prepared database from a backup, in the caller's transaction, and compares the result with the backup. The
 * tables' own triggers are disabled while it runs: they would write movements, events and audit rows for events of the
 * past. Foreign keys and checks stay, so that a backup cannot bring in what the shop would refuse.
 */
export async function loadBackup(sql: Sql, path: string, { only = () => true, save }: Load): Promise<Loaded> {
  await sql.exec("set local timezone = 'UTC'");
  const existing = (await listTables(sql)).filter(({ name }) => only(name));
  const names = existing.map(({ name }) => name);
  for (const name of names) await sql.exec(`alter table ${name} disable trigger user`);
  await sql.exec(`truncate ${names.join(", ")}`);
  const loaded: (NonNullable<Fit> & { tally: RowTally })[] = [];
  const leftOut: string[] = [];
  let current: Fit = null;
  let unnumbered: string[] = [];
  for await (const entry of readBackup(path)) {
    if (entry.kind !== "rows" && current && unnumbered.length > 0) {
      unnumbered.sort((a, b) => placedAt(a).localeCompare(placedAt(b)));
      await insertRows(sql, current.table, unnumbered);
      unnumbered = [];
    }
    if (entry.kind === "table") {
      const { table } = entry;
      const isIncluded = only(table.name) && !excludedTables.includes(table.name);
      current = isIncluded ? matchTable(existing, table) : null;
      if (current) loaded.push({ ...current, tally: new RowTally() });
      if (isIncluded && !current) leftOut.push(table.name);
      else if (current) leftOut.push(...current.unknown.map((column) => `${table.name}.${column}`));
    }
    if (entry.kind === "rows" && current) {
      const rows = await withoutColumns(sql, entry.rows, current.unknown);
      for (const row of rows) loaded.at(-1)?.tally.add(row);
      if (lacksNumbers(current.table)) unnumbered.push(...rows);
      else await insertRows(sql, current.table, rows);
    }
    if (entry.kind === "position") await setPosition(sql, entry.position);
    if (entry.kind === "file") await save(entry.head, entry.content);
    if (entry.kind !== "manifest") continue;
    for (const { table, unknown, tally } of loaded) {
      const { rows, checksum } = await tallyOf(sql, table);
      const promised = unknown.length > 0 ? tally.result() : entry.manifest.tables[table.name];
      if (rows !== promised?.rows || checksum !== promised.checksum) {
        throw new StartError(`${table.name} is not what the backup says; nothing has been restored`);
      }
    }
    for (const name of names) await sql.exec(`alter table ${name} enable trigger user`);
    return { manifest: entry.manifest, leftOut };
  }
  throw new StartError(`The backup ${path} has no end`);
}
