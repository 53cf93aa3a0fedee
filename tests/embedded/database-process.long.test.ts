import { execFile, execFileSync } from "node:child_process";
import { lstat, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { refusalOf } from "#server/database/errors.ts";
import { findProcesses, serverName } from "#server/database/postgres/leftovers.ts";
import { eventually } from "#tests/support/eventually.ts";
import { signalAll } from "#tests/torture/processes.ts";
import { clientOf, type Folder, newFolder } from "./shop-folder.ts";
import type { WriteFigures } from "./write-and-kill.ts";

/* The database as a process of its own: restarted when it dies, ended when the shop ends, and never a reason not to start. */

const waitOptions = { timeout: 60_000, interval: 50 };

const processesOf = ({ dataDir }: Folder) => findProcesses(serverName(dataDir));

async function firstOf(folder: Folder): Promise<number> {
  const pid = (await processesOf(folder)).find(({ first }) => first)?.pid;
  if (!pid) throw new Error("The database is not running");
  return pid;
}

const script = join(import.meta.dirname, "write-and-kill.ts");

test.each(["as a whole", "in one of its connections", "in its checkpointer"])(
  "The database killed %s restarts without the rest, and nothing confirmed is lost",
  async (victim) => {
    const folder = await newFolder("empty");
    const { stdout } = await promisify(execFile)(process.execPath, [script, folder.dataDir, victim]);
    const { confirmed, refused, lost } = JSON.parse(stdout) as WriteFigures;
    expect(confirmed).toBeGreaterThan(9);
    expect(lost).toEqual([]);
    // What a customer gets for each of them: 503 with a message.
    for (const code of refused)
      expect([code, refusalOf({ code }, "authenticated")?.status]).toEqual([code, 503]);
  },
);

/** Every process that belongs to a shop: itself, the guardian and its watcher, not the database. */
function familyOf(pid: number): number[] {
  const lines = execFileSync("ps", ["-axo", "pid=,ppid=,command="], { encoding: "utf8" }).trim().split("\n");
  const rows = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const below = (parent: number): number[] =>
    rows.flatMap(([, child, of, command = ""]) =>
      Number(of) === parent && !/^(\S*postgres -D|postgres:)/.test(command)
        ? [Number(child), ...below(Number(child))]
        : [],
    );
  return [pid, ...below(pid)];
}

test.each([
  ["the shop's process", (pid: number) => [pid]],
  ["everything but the database", familyOf],
])("When %s is killed, the database shuts itself down", async (_, victims) => {
  const folder = await newFolder();
  await folder.openApart();
  const database = await firstOf(folder);
  const pids = victims(await folder.pid());
  if (victims === familyOf) expect(pids.length).toBe(3);
  signalAll(pids, "SIGKILL");
  await eventually(() => expect(() => process.kill(database, 0)).toThrow("ESRCH"), waitOptions);
  await eventually(async () => expect(await processesOf(folder)).toEqual([]), waitOptions);
});

test("Stopping ends the database too, with a checkpoint, so that the next start has nothing to replay", async () => {
  const folder = await newFolder();
  const backend = await folder.open();
  expect(await processesOf(folder)).not.toEqual([]);
  await backend.stop();
  expect(await processesOf(folder)).toEqual([]);
  await expect(stat(join(folder.dataDir, "database/postmaster.pid"))).rejects.toThrow("ENOENT");
});

test.each([
  ["empty", async (path: string) => truncate(path, 0)],
  ["naming a stranger", async (path: string) => writeFile(path, `${process.pid}\n/elsewhere\n1\n5432\n`)],
])("Files of a process that are %s after a power cut do not stop the next start", async (_, damage) => {
  const folder = await newFolder();
  const files = ["postmaster.pid", ".s.PGSQL.5432.lock"].map((name) =>
    join(folder.dataDir, "database", name),
  );
  for (const path of files) {
    await writeFile(path, "");
    await damage(path);
  }
  expect(
    (
      await clientOf(await folder.open())
        .from("books")
        .select("id")
    ).error,
  ).toBeNull();
});

test("A server that an earlier shop left behind is ended before the next one starts", async () => {
  const folder = await newFolder();
  await folder.openApart();
  const database = await firstOf(folder);
  // Stopped, it cannot follow the order to shut down until the next start has looked.
  process.kill(database, "SIGSTOP");
  signalAll(familyOf(await folder.pid()), "SIGKILL");
  expect((await processesOf(folder)).map(({ pid }) => pid)).toContain(database);
  const opening = folder.open();
  await pause(1_000);
  process.kill(database, "SIGCONT");
  expect(
    (
      await clientOf(await opening)
        .from("books")
        .select("id")
    ).error,
  ).toBeNull();
  expect(await firstOf(folder)).not.toBe(database);
});

test("Only the owner can read the database, keys and password, or talk to the backend, whoever created the data folder", async () => {
  const folder = await newFolder("empty");
  execFileSync("chmod", ["755", folder.dataDir]);
  const backend = await folder.open();
  const names = await readdir(folder.dataDir);
  expect(names).toContain("backend.sock");
  const open = [];
  for (const name of names) {
    const { mode } = await lstat(join(folder.dataDir, name));
    if ((mode & 0o077) !== 0) open.push(name);
  }
  await backend.stop();
  expect(open.filter((name) => !["objects"].includes(name))).toEqual([]);
  expect((await lstat(join(folder.dataDir, "database"))).mode & 0o777).toBe(0o700);
});

test("A first start that fails leaves the folder as empty as it was", async () => {
  const folder = await newFolder("empty");
  onTestFinished(() => rm(join(folder.dataDir, "backend.sock"), { recursive: true, force: true }));
  await expect(folder.open({ DATABASE_URL: "postgres://127.0.0.1:1/shop" })).rejects.toThrow(
    "no server answers there",
  );
  expect(await readdir(folder.dataDir)).toEqual([]);
});
