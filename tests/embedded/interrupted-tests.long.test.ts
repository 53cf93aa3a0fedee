import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";
import { eventually } from "#tests/support/eventually.ts";

const support = join(import.meta.dirname, "../support/owners-postgres.ts");

test("ends the PostgreSQL that a test run started when that run is killed", async () => {
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

/** Processes that have a text among their words or settings. */
async function processesWith(text: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
      return [await read("cmdline"), await read("environ")].some((words) => words.includes(text));
    }),
  );
  return pids.filter((_, n) => found[n]).map(Number);
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "ends tests, shops and databases when only the gate gets %s",
  async (signal) => {
    const folder = await newDataDir();
    onTestFinished(() => removeFolder(folder));
    const tools = join(import.meta.dirname, "../../tools");
    // Like a test that is waiting.
    const tests = `
      const { startOwnersPostgres } = await import(${JSON.stringify(support)});
      const { startShop } = await import(${JSON.stringify(join(import.meta.dirname, "../support/shop-server.ts"))});
      await Promise.all([startOwnersPostgres(), startShop({ SHOP_DEMO: "0" })]);
      console.log("both are open");
      setInterval(() => {}, 1_000);`;
    const command = ["node", "--input-type=module", "-e", tests];
    const script = `
      const { runPart } = await import(${JSON.stringify(join(tools, "gate-part.ts"))});
      const { stopGroupsOnSignals } = await import(${JSON.stringify(join(tools, "process-groups.ts"))});
      stopGroupsOnSignals();
      await runPart(${JSON.stringify({ name: "some tests", command })}, ${JSON.stringify(folder)}, false);
      console.log("the next part");`;
    const gate = spawn(process.execPath, ["--input-type=module", "-e", script], {
      // The inner run must not inherit this run's settings.
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void gate.kill("SIGKILL"));
    let output = "";
    for (const stream of [gate.stdout, gate.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    const own = async () => (await processesWith(folder)).filter((pid) => pid !== gate.pid);
    await eventually(() => output.includes("both are open"), { timeout: 180_000 }).catch(() =>
      expect(output).toContain("both are open"),
    );
    expect((await own()).length).toBeGreaterThan(4);
    gate.kill(signal);
    await eventually(async () => expect(await own()).toEqual([]), { timeout: 60_000, interval: 200 });
    await eventually(() => gate.exitCode === 1, { timeout: 10_000 });
    expect(output).not.toContain("the next part");
  },
);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
