import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";
import { eventually } from "#tests/support/eventually.ts";

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
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const [found] = await sql`select setting from pg_settings where name = 'data_directory'`;
  await sql.end();
  expect(found?.setting).toContain(folder);
  // Another server may get its port: its process is what ends.
  const pid = Number.parseInt(await readFile(join(found?.setting, "postmaster.pid"), "utf8"), 10);
  expect(isRunning(pid)).toBe(true);
  run.kill("SIGKILL");
  await eventually(() => expect(isRunning(pid)).toBe(false), { timeout: 120_000, interval: 200 });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
