import type { Sql } from "./sql.ts";

const everyMs = 5_000;

/** Whether the database responds to a simple query. */
export async function isResponding(sql: Sql): Promise<boolean> {
  const rows = await sql.query<{ one: number }>("select 1 as one").catch(() => []);
  return rows.length === 1 && rows[0]?.one === 1;
}

/** A server that ended is restarted within seconds, and then replays its log for a little longer. */
const failuresInARow = 60;
const againMs = 500;

/**
 * Watches the connection to the database: a failure that lasts half a minute may need a new process.
 * @param maxFailures how many in a row, half a second apart
 * @param onFailure called once
 * @returns the function that stops watching
 */
export function startWatchdog(
  sql: Sql,
  onFailure: () => void,
  maxFailures = failuresInARow,
): () => Promise<void> {
  let failures = 0;
  let timer = setTimeout(look, everyMs);
  async function look(): Promise<void> {
    failures = (await isResponding(sql)) ? 0 : failures + 1;
    if (failures >= maxFailures) onFailure();
    else timer = setTimeout(look, failures > 0 ? againMs : everyMs);
    timer.unref();
  }
  timer.unref();
  return async () => clearTimeout(timer);
}
