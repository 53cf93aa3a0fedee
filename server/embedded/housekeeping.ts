import type { Sql } from "./sql.ts";

const everyMs = 24 * 60 * 60 * 1000;

/**
 * What the library writes and never removes: its log of sign-ins, which names people, and spent tokens. Sessions end
 * when nobody has used them for half a year.
 */
export async function tidyAccounts(sql: Sql): Promise<void> {
  await sql.exec(`
    delete from auth.audit_log_entries where created_at < now() - interval '30 days';
    delete from auth.refresh_tokens where revoked and updated_at < now() - interval '7 days';
    delete from auth.sessions where greatest(updated_at, refreshed_at at time zone 'UTC') < now() - interval '180 days';
    delete from auth.flow_state where created_at < now() - interval '1 day';`);
}

/** Tidies now and once a day; the returned function ends that. */
export function startHousekeeping(sql: Sql, tell: (line: string) => void): () => Promise<void> {
  const tidy = () =>
    tidyAccounts(sql).catch((error: { code?: string }) => {
      tell(`old sign-ins could not be removed (${error.code ?? "no code"})`);
    });
  const timer = setInterval(tidy, everyMs);
  timer.unref();
  void tidy();
  return async () => clearInterval(timer);
}
