import type { Sql } from "../sql.ts";
import { StartError } from "../start-error.ts";
import { type FileHead, type Manifest, readBackup } from "./backup-file.ts";
import { listTables, readRows, type Table } from "./tables.ts";
import { RowTally } from "./tally.ts";

/** Rows as they were: numbers that the database would give itself are given, computed columns are computed again. */
export async function insertRows(sql: Sql, { name, columns }: Table, rows: string[]): Promise<void> {
  await sql.query(
    `insert into ${name} (${columns.join(", ")}) overriding system value
     select ${columns.join(", ")} from jsonb_populate_recordset(null::${name}, $1::text::jsonb)`,
    [`[${rows.join(",")}]`],
  );
}

/** Counts and sums up a table as the backup's manifest did. */
async function tallyOf(sql: Sql, table: Table) {
  const tally = new RowTally();
  for await (const rows of readRows(sql, table)) for (const row of rows) tally.add(row);
  return tally.result();
}

/** Every table of the backup must be there, with every column. */
function checkFit(known: Table[], table: Table): void {
  const columns = known.find(({ name }) => name === table.name)?.columns ?? [];
  const missing = table.columns.find((column) => !columns.includes(column));
  if (missing) throw new StartError(`The backup does not fit this version: ${table.name} has no ${missing}`);
}

/** Which part of a backup goes where. */
export type Load = {
  /** Whether a table, by its name with schema, is filled; all of them when left out. */
  only?: (table: string) => boolean;
  /** Takes the covers. */
  save: (head: FileHead, content: Buffer) => Promise<void>;
};

/**
 * Fills a prepared database from a backup, in the caller's transaction, and compares what is then there with the
 * manifest. The tables' own triggers rest meanwhile: they would write movements, events and audit rows for what has
 * happened already. Foreign keys and checks stay, so that a backup cannot bring in what the shop would refuse.
 */
export async function loadBackup(
  sql: Sql,
  path: string,
  { only = () => true, save }: Load,
): Promise<Manifest> {
  await sql.exec("set local timezone = 'UTC'");
  const known = (await listTables(sql)).filter(({ name }) => only(name));
  const names = known.map(({ name }) => name);
  for (const name of names) await sql.exec(`alter table ${name} disable trigger user`);
  await sql.exec(`truncate ${names.join(", ")}`);
  const loaded: Table[] = [];
  for await (const entry of readBackup(path)) {
    if (entry.kind === "table" && only(entry.table.name)) {
      checkFit(known, entry.table);
      loaded.push(entry.table);
    }
    if (entry.kind === "rows" && only(entry.table.name)) await insertRows(sql, entry.table, entry.rows);
    if (entry.kind === "position" && entry.position.last !== null) {
      await sql.query("select setval($1::text::regclass, $2::text::bigint)", [
        entry.position.name,
        entry.position.last,
      ]);
    }
    if (entry.kind === "file") await save(entry.head, entry.content);
    if (entry.kind !== "manifest") continue;
    for (const table of loaded) {
      const { rows, checksum } = await tallyOf(sql, table);
      const promised = entry.manifest.tables[table.name];
      if (rows !== promised?.rows || checksum !== promised.checksum) {
        throw new StartError(`${table.name} is not what the backup says; nothing has been restored`);
      }
    }
    for (const name of names) await sql.exec(`alter table ${name} enable trigger user`);
    return entry.manifest;
  }
  throw new StartError(`The backup ${path} has no end`);
}
