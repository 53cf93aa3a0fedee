import { countOf } from "#app/lib/count-of.ts";
import type { FileName, StoredFiles } from "../api/storage/stored-files.ts";
import type { Sql } from "../database/sql.ts";

const everyMs = 24 * 60 * 60 * 1000;
/** How soon a machine that has taken over looks whether there is something to do. */
const lookEveryMs = 60_000;

/**
 * Deletes what is no longer needed: spent refresh tokens, sessions that were not used for half a year, old email
 * links, expired rate limits, networks from which an account has not signed in for a year.
 */
export async function tidyAccounts(sql: Sql): Promise<void> {
  await sql.exec(`
    delete from auth.refresh_tokens where revoked and updated_at < now() - interval '7 days';
    delete from auth.sessions where greatest(updated_at, refreshed_at at time zone 'UTC') < now() - interval '180 days';
    delete from private_shop.email_links where created_at < now() - interval '1 day';
    delete from private_shop.sign_ups where signed_up_at < now() - interval '30 days';
    delete from private_shop.attempts where ends_at < now();
    delete from private_shop.known_networks where seen_at < now() - interval '1 year';`);
}

/**
 * Removes the names from orders that are older than the owner's setting allows, some hundreds at a time.
 * @param most how many are changed together
 * @returns how many orders there were
 */
export async function forgetOldOrders(sql: Sql, most = 500): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await sql.query<{ orders: number }>("select private.forget_old_orders($1) as orders", [
      most,
    ]);
    if (!row?.orders) return total;
    total += row.orders;
  }
}

/** Files of uploads that failed after their file was written. */
export const tidyFiles = (sql: Sql, files: StoredFiles): Promise<void> =>
  files.removeOrphans(() =>
    sql.query<FileName>("select bucket_id as bucket, name, version from storage.objects"),
  );

/** Cleans up now and once a day, where this machine leads; the returned function stops it. */
export function startHousekeeping(
  sql: Sql,
  files: StoredFiles,
  log: (line: string) => void,
  leads: () => boolean = () => true,
): () => Promise<void> {
  let looksUntilDue = 0;
  const failed =
    (what: string) =>
    ({ code = "no code" }: { code?: string }) =>
      log(`${what} could not be removed (${code})`);
  const tidy = () => {
    if (!leads()) return;
    if (looksUntilDue > 0) {
      looksUntilDue -= 1;
      return;
    }
    looksUntilDue = everyMs / lookEveryMs - 1;
    tidyAccounts(sql).catch(failed("old sign-ins"));
    tidyFiles(sql, files).catch(failed("files of failed uploads"));
    forgetOldOrders(sql).then(
      (orders) => orders > 0 && log(`Names were removed from ${countOf(orders, "old order")}`),
      failed("names on old orders"),
    );
  };
  const timer = setInterval(tidy, lookEveryMs);
  timer.unref();
  tidy();
  return async () => clearInterval(timer);
}
