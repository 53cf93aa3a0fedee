import type { Sql } from "../../database/sql.ts";

/** A table with its stored columns (not those that the database computes). */
export type Table = { name: string; columns: string[] };

/** A sequence's last number; null before the first. */
export type Position = { name: string; last: string | null };

/** All of the shop's schemas. The migrations' history is stored as a list of versions instead. */
const schemas = "array['auth', 'storage', 'public', 'private', 'private_shop']";

/**
 * Not in backups: tables rewritten when a database is prepared, rate limits, and tasks, whose emails contain links
 * that still work; of several machines, who does what now. Keys and files have a place of their own in a backup.
 */
export const excludedTables = [
  ...["library", "attempts", "account_tasks", "leases", "machines", "keys", "files"].map(
    (table) => `private_shop.${table}`,
  ),
  // Links that still work.
  "private.download_tickets",
  // What tells visitors apart is deleted when the month ends.
  "private.unmet_demand_visitors",
  "private.unmet_demand_salts",
];

/**
 * A backup includes only the matching rows of these tables: an email waiting now may be sent before the backup is
 * restored, and what only one or two visitors looked for is deleted when the month ends.
 */
const rowFilters: Record<string, string> = {
  "public.outgoing_emails": "where state <> 'waiting'",
  "private.unmet_demand": `where (kind, text, date_trunc('month', day)) in (
    select kind, text, date_trunc('month', day) from private.unmet_demand
     group by 1, 2, 3 having sum(visitors) >= private.demand_threshold(kind))`,
};

/** Referenced tables come first, so that rows can be loaded in this order despite foreign keys. */
function inOrder(tables: Table[], references: { child: string; parent: string }[]): Table[] {
  const ordered: Table[] = [];
  const visit = (table: Table) => {
    if (ordered.includes(table)) return;
    for (const { child, parent } of references) {
      const needed = tables.find(({ name }) => name === parent);
      if (child === table.name && needed && needed !== table) visit(needed);
    }
    ordered.push(table);
  };
  for (const table of tables) visit(table);
  return ordered;
}

/** The shop's tables, quoted and with their schema, in the order in which they can be filled. */
export async function listTables(sql: Sql): Promise<Table[]> {
  const tables = await sql.query<Table>(`
    select format('%I.%I', n.nspname, c.relname) as name,
           array_agg(format('%I', a.attname) order by a.attnum) filter (where a.attgenerated = '') as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and n.nspname = any (${schemas})
    group by 1 order by 1`);
  const references = await sql.query<{ child: string; parent: string }>(`
    select format('%I.%I', cn.nspname, c.relname) as child, format('%I.%I', pn.nspname, p.relname) as parent
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid join pg_namespace cn on cn.oid = c.relnamespace
    join pg_class p on p.oid = k.confrelid join pg_namespace pn on pn.oid = p.relnamespace
    where k.contype = 'f'
    order by 1, 2`);
  return inOrder(
    tables.filter(({ name }) => !excludedTables.includes(name)),
    references,
  );
}

/** The last numbers of the shop's sequences. */
export async function listPositions(sql: Sql): Promise<Position[]> {
  return sql.query<Position>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
    from pg_sequences where schemaname = any (${schemas}) order by 1`);
}

const rowsAtOnce = 500;

/**
 * The rows of a table as JSON texts, a few hundred at a time. Texts, because numbers that pass through JavaScript can
 * lose digits. Needs a transaction whose time zone is UTC, so that the same row always gives the same text.
 */
export async function* readRows(sql: Sql, { name, columns }: Table): AsyncGenerator<string[]> {
  await sql.exec(`declare rows_of_table no scroll cursor for
    select to_jsonb(r)::text as row from (select ${columns.join(", ")} from ${name} ${rowFilters[name] ?? ""}) as r`);
  for (;;) {
    const rows = await sql.query<{ row: string }>(`fetch ${rowsAtOnce} from rows_of_table`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await sql.exec("close rows_of_table");
}
