import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import postgres from "postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";

const support = join(import.meta.dirname, "../support/owners-postgres.ts");

test("A test run that is killed ends the PostgreSQL that it started, which is no server of the owner's", async () => {
  const folder = await newDataDir();
  onTestFinished(() => removeFolder(folder));
  const script = `
    const { startOwnersPostgres } = await import(${JSON.stringify(support)});
    await startOwnersPostgres();
    console.log("url " + process.env.TEST_DATABASE_URL);
    setInterval(() => {}, 1_000);`;
  const run = spawn(process.execPath, ["--input-type=module", "-e", script], {
    env: { PATH: process.env.PATH, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void run.kill("SIGKILL"));
  let url = "";
  for await (const line of createInterface({ input: run.stdout }))
    if (line.startsWith("url ")) {
      url = line.slice(4);
      break;
    }
  const read = async () => {
    const sql = postgres(url, { max: 1, connect_timeout: 2, fetch_types: false, onnotice: () => {} });
    try {
      return await sql`select setting from pg_settings where name = 'data_directory'`;
    } finally {
      await sql.end();
    }
  };
  expect((await read())[0]?.setting).toContain(folder);
  run.kill("SIGKILL");
  await vi.waitFor(() => expect(read()).rejects.toThrow(/ECONNREFUSED/), { timeout: 120_000, interval: 200 });
});
