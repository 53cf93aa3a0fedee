import type { Disk } from "../lib/disk-full.ts";
import type { Sql } from "./sql.ts";

/** Half a megabyte as the server stores it for the statement. */
const rows = 20_000;

/**
 * The disk of an owner's PostgreSQL. What is written is a statement's own temporary file: it takes new room every time, and leaves neither rows
 * nor entries in the server's log of changes.
 */
export const databaseDisk = (sql: Sql): Disk => ({
  name: "the disk of the PostgreSQL server (DATABASE_URL)",
  write: () =>
    sql.transaction(async (transaction) => {
      await transaction.exec(
        "set local work_mem = '64kB'; set local temp_tablespaces = ''; set local statement_timeout = '5s'",
      );
      await transaction.query(`select count(*) from generate_series(1, ${rows})`);
    }),
  // With log_temp_files = 0 the server logs each.
  lookEveryMs: 60_000,
});
