import type { Query } from "./database.ts";

/** How often a table was read from end to end. */
export const scansOf = (table: string) =>
  `select seq_scan as n from pg_stat_xact_user_tables where relid = 'public.${table}'::regclass`;

/** How often a function was called while `track_functions` was on. */
export const callsOf = (name: string) =>
  `select calls as n from pg_stat_xact_user_functions where funcname = '${name}'`;

/**
 * How much one of the database's counters grows while `work` runs.
 * @param query of a transaction: its counters include up to a second of the connection's earlier transactions
 * @param counter a query whose rows have a number `n` each
 */
export async function countDuring(
  query: Query,
  counter: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const count = async () => {
    const [row] = await query(`select coalesce(sum(n), 0)::int as n from (${counter}) as counted`);
    return Number(row?.n);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}
