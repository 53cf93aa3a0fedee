import { countOf } from "#shared/text/count-of.ts";
import type { FileName, StoredFiles } from "../api/storage/stored-files.ts";
import type { Sql } from "../database/sql.ts";

const everyMs = 24 * 60 * 60 * 1000;
/** How soon a machine that has taken over looks whether there is something to do. */
const lookEveryMs = 60_000;

/**
 * Deletes what is no longer needed: spent refresh tokens, sessions that were not used for half a year, old email
 * links, expired rate limits, networks and browsers from which an account has not signed in for a year, and apps
 * whose set-up was abandoned.
 */
export async function tidyAccounts(sql: Sql): Promise<void> {
  await sql.exec(`
    delete from auth.refresh_tokens where revoked and updated_at < now() - interval '7 days';
    delete from auth.sessions where greatest(updated_at, refreshed_at at time zone 'UTC') < now() - interval '180 days';
    delete from private_shop.email_links where created_at < now() - interval '1 day';
    delete from private_shop.sign_ups where signed_up_at < now() - interval '30 days';
    delete from private_shop.attempts where ends_at < now();
    delete from private_shop.known_networks where seen_at < now() - interval '1 year';
    delete from private_shop.known_devices where seen_at < now() - interval '1 year';
    delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '1 day';`);
}

/**
 * Removes the names from orders that are older than the owner's setting allows, some hundreds at a time.
 * @param most how many are changed together
 * @returns how many orders there were
 */
export const forgetOldOrders = (sql: Sql, most = 500): Promise<number> =>
  inSteps(sql, "select private.forget_old_orders($1) as done", most);

/**
 * Deletes registrations for events that were longer ago than the owner's setting allows, and subscriptions that nobody confirmed.
 * @param most how many are deleted together
 * @returns how many registrations there were
 */
export const forgetOldRegistrations = (sql: Sql, most = 500): Promise<number> =>
  inSteps(sql, "select private.forget_old_registrations($1) as done", most);

/**
 * Deletes consultations in which nothing has happened for as many years as names stay on orders.
 * @param most how many are deleted together
 * @returns how many there were
 */
const forgetOldConsultations = (sql: Sql, most = 500): Promise<number> =>
  inSteps(sql, "select private.forget_old_consultations($1) as done", most);

/** Repeats a statement until it has nothing left to do. */
async function inSteps(sql: Sql, statement: string, most: number): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await sql.query<{ done: number }>(statement, [most]);
    if (!row?.done) return total;
    total += row.done;
  }
}

/**
 * Compares the sums that reports show with all orders, unless that was already done today.
 * @returns how many are wrong; null if nothing was compared
 */
export async function checkSales(sql: Sql): Promise<number | null> {
  const [row] = await sql.transaction(
    (all) =>
      all.query<{ wrong: number }>(`
        select private.check_sales()::int as wrong
         where not exists (select from private.sales_checks where checked_at > now() - interval '20 hours')`),
    // It reads every order.
    "unbounded",
  );
  return row?.wrong ?? null;
}

/** Files of uploads that failed after their file was written. */
export const tidyFiles = (sql: Sql, files: StoredFiles): Promise<void> =>
  files.removeOrphans(() =>
    sql.query<FileName>("select bucket_id as bucket, name, version from storage.objects"),
  );

/**
 * Deletes pieces that belong to no file of a digital title, some hundreds at a time, and links to files that ended a week ago.
 * @returns how many pieces there were
 */
export async function tidyDigitalFiles(sql: Sql, files: StoredFiles, most = 500): Promise<number> {
  await sql.query("select private.forget_old_tickets()");
  let total = 0;
  for (;;) {
    const rows = await sql.query<FileName>(
      `delete from storage.objects where bucket_id = 'digital-files' and name in (select name from private.list_spare_pieces($1))
       returning bucket_id as bucket, name, version`,
      [most],
    );
    for (const file of rows) await files.remove(file);
    total += rows.length;
    if (rows.length < most) return total;
  }
}

/** Cleans up and checks the reports now and once a day, where this machine is the leader; the returned function stops it. */
export function startHousekeeping(
  sql: Sql,
  files: StoredFiles,
  log: (line: string) => void,
  leads: () => boolean = () => true,
): () => Promise<void> {
  let looksUntilDue = 0;
  let isStopped = false;
  const failed =
    (what: string) =>
    ({ code = "no code" }: { code?: string }) => {
      // What is under way fails when the connections close.
      if (!isStopped) log(`${what} (${code})`);
    };
  const tidy = () => {
    if (!leads()) return;
    if (looksUntilDue > 0) {
      looksUntilDue -= 1;
      return;
    }
    looksUntilDue = everyMs / lookEveryMs - 1;
    tidyAccounts(sql).catch(failed("old sign-ins could not be removed"));
    tidyFiles(sql, files).catch(failed("files of failed uploads could not be removed"));
    tidyDigitalFiles(sql, files).catch(failed("old pieces of digital titles could not be deleted"));
    forgetOldOrders(sql).then(
      (orders) => orders > 0 && log(`Names were removed from ${countOf(orders, "old order")}`),
      failed("names on old orders could not be removed"),
    );
    forgetOldRegistrations(sql).catch(failed("registrations for past events could not be deleted"));
    forgetOldConsultations(sql).catch(failed("old consultations could not be deleted"));
    checkSales(sql).then(
      (wrong) =>
        wrong &&
        log(
          `${countOf(wrong, "report sum")} ${wrong === 1 ? "doesn't" : "don't"} agree with the orders (see docs/running.md, Reports)`,
        ),
      failed("the sums of the reports could not be compared with the orders"),
    );
  };
  const timer = setInterval(tidy, lookEveryMs);
  timer.unref();
  tidy();
  return async () => {
    isStopped = true;
    clearInterval(timer);
  };
}
