import type { Sql } from "./sql.ts";

const everyMs = 5_000;

/** Whether the database answers a question as it should. */
export async function answersOne(sql: Sql): Promise<boolean> {
  const rows = await sql.query<{ one: number }>("select 1 as one").catch(() => []);
  return rows.length === 1 && rows[0]?.one === 1;
}

/**
 * Looks after the database: a PGlite that lost its place answers every query with success and nothing, which no
 * error would ever show.
 * @param onFailure called once, after two wrong answers in a row
 * @returns the function that stops looking
 */
export function startWatchdog(sql: Sql, onFailure: () => void): () => Promise<void> {
  let failures = 0;
  let timer = setTimeout(look, everyMs);
  async function look(): Promise<void> {
    failures = (await answersOne(sql)) ? 0 : failures + 1;
    if (failures >= 2) onFailure();
    else timer = setTimeout(look, failures > 0 ? 200 : everyMs);
    timer.unref();
  }
  timer.unref();
  return async () => clearTimeout(timer);
}
