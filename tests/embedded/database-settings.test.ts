import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Access, startEmbedded } from "#server/database/postgres/embedded.ts";
import { connectTo } from "#tests/support/test-server.ts";

const MEGABYTE = 1024 * 1024;

/** Starts a database with the shop's own settings; the answer runs a statement in it. */
async function startDatabase() {
  const dataDir = await mkdtemp(join(tmpdir(), "parameters-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const accesses: Access[] = [];
  const ask = async (text: string) => {
    const [access] = accesses;
    if (!access) throw new Error("The database has not said where it listens");
    const sql = connectTo(access, "postgres", { max: 1, connect_timeout: 5 });
    return sql.unsafe(text).finally(() => sql.end({ timeout: 1 }));
  };
  const server = await startEmbedded(
    dataDir,
    (access) => {
      accesses.push(access);
      return {
        answers: () =>
          ask("select 1").then(
            () => true,
            () => false,
          ),
      };
    },
    (line) => console.error(line),
  );
  onTestFinished(() => server.stop());
  return ask;
}

test("The shop's own database waits for the disk, keeps to little memory while it is small, and logs nothing about customers", async () => {
  const ask = await startDatabase();
  const expected = {
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    autovacuum: "on",
    // 32 MB in pages of 8 kB.
    shared_buffers: "4096",
    log_statement: "none",
    log_min_messages: "fatal",
    log_min_error_statement: "panic",
    log_min_duration_statement: "-1",
    log_parameter_max_length_on_error: "0",
    ...(process.platform === "win32" ? {} : { listen_addresses: "", unix_socket_permissions: "0700" }),
  };
  const names = Object.keys(expected).map((name) => `'${name}'`);
  const settings = await ask(`select name, setting from pg_settings where name in (${names.join(", ")})`);
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual(expected);
});

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
  await vi.waitUntil(async () => (await logBytes()) < 160 * MEGABYTE, { timeout: 40_000, interval: 200 });
});
