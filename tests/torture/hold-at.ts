import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "#server/database/sql.ts";
import type { Reach } from "#tests/support/stepping.ts";

/** Holds work for ever at the first step of this name. */
export function holdAt(wanted: string): { reach: Reach; held: Promise<void> } {
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const reach: Reach = async (step) => {
    if (step !== wanted) return;
    isHeld();
    await new Promise(() => {});
  };
  return { reach, held };
}

const timeoutMs = 60_000;

/** Waits until a query has no more rows. */
export async function untilNone(sql: Sql, query: string, values: unknown[]): Promise<void> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const rows = await sql.query(query, values);
    if (rows.length === 0) return;
    if (Date.now() > until) throw new Error(`There are still ${rows.length} rows of ${query}`);
    await pause(20);
  }
}
