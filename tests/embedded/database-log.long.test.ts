import { expect, test } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import { startDatabase } from "./own-settings.ts";

const MEGABYTE = 1024 * 1024;

test("However much is written, the database's log stays near 128 MB", async () => {
  const ask = await startDatabase();
  const logBytes = async () => Number((await ask("select sum(size) as bytes from pg_ls_waldir()"))[0]?.bytes);
  await ask(
    "create table carts as select id, repeat('x', 500) as lines from generate_series(1, 40000) as id",
  );
  for (let round = 1; round <= 15; round += 1)
    await ask(`update carts set lines = repeat('${round % 10}', 500)`);
  const [written] = await ask("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes");
  expect(Number(written?.bytes)).toBeGreaterThan(400 * MEGABYTE);
  await eventually(async () => (await logBytes()) < 160 * MEGABYTE, { timeout: 40_000, interval: 200 });
});
