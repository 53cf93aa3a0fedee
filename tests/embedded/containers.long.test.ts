import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { findProcesses, serverName } from "#server/database/postgres/leftovers.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";
import { familyOf, signalAll } from "#tests/torture/processes.ts";
import { newFolder, ownerOf } from "./shop-folder.ts";

/* Two containers on one volume: neither sees the other's processes, nor its shared memory. */

const container = ["--pid", "--ipc", "--fork", "--mount-proc", "--kill-child"];

function findProblem(): string | null {
  try {
    execFileSync("unshare", [...container, "true"], { stdio: "ignore" });
    return null;
  } catch {
    return "only root may separate processes";
  }
}

const problem = findProblem();
sayWhatIsSkipped("shops in containers", problem);
const root = join(import.meta.dirname, "../..");

/** Runs a script as another container would. */
function runElsewhere(script: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn("unshare", [...container, process.execPath, join(root, script), ...args], {
    env: { PATH: process.env.PATH, SHOP_DEMO: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { ended, printed: () => printed.trim() };
}

describe.skipIf(problem)(`In another container${problem ? ` (skipped: ${problem})` : ""}`, () => {
  test("a command goes through the running shop, and nothing confirmed is lost", async () => {
    const folder = await newFolder();
    const backend = await folder.open();
    const owner = await ownerOf(backend, folder);
    const confirmed: string[] = [];
    const refused: unknown[] = [];
    let writing = true;
    const work = (async () => {
      while (writing) {
        const book = await owner.from("books").insert({ title: "Kept", price: 1 }).select("id").single();
        if (book.data) confirmed.push(book.data.id);
        else refused.push(book.error);
      }
    })();
    const backup = runElsewhere("scripts/backup.ts", [], { DATA_DIR: folder.dataDir });
    const code = await backup.ended;
    const before = confirmed.length;
    await eventually(() => expect(confirmed.length + refused.length).toBeGreaterThan(before + 5), 60_000);
    writing = false;
    await work;
    await backend.stop();
    const kept = await (await ownerOf(await folder.open(), folder)).from("books").select("id");
    const found = new Set(kept.data?.map(({ id }) => id));
    expect(confirmed.filter((id) => !found.has(id))).toEqual([]);
    expect(refused).toEqual([]);
    expect([code, backup.printed()]).toEqual([0, expect.stringContaining(" books, ")]);
  });

  test("a second shop is refused, and the first one keeps its database and its folder", async () => {
    const folder = await newFolder();
    const backend = await folder.open();
    const pid = await folder.pid();
    const database = await findProcesses(serverName(folder.dataDir));
    const second = runElsewhere("tests/embedded/host.ts", [folder.dataDir]);
    expect(await second.ended).toBe(1);
    expect(second.printed()).toContain(`The data folder ${folder.dataDir} is in use`);
    const now = await findProcesses(serverName(folder.dataDir));
    expect(now.find(({ first }) => first)).toEqual(database.find(({ first }) => first));
    expect([await folder.pid(), await backend.ready()]).toEqual([pid, true]);
  });

  test("a shop waits for a database that outlives the first one", async () => {
    const folder = await newFolder();
    await folder.openApart();
    const processes = await findProcesses(serverName(folder.dataDir));
    const database = processes.find(({ first }) => first)?.pid ?? 0;
    const [pid, family] = [await folder.pid(), await familyOf(await folder.pid())];
    // Stopped, it cannot follow the order to shut down.
    process.kill(database, "SIGSTOP");
    signalAll(
      family.filter((victim) => !processes.some((one) => one.pid === victim)),
      "SIGKILL",
    );
    const next = runElsewhere("tests/embedded/host.ts", [folder.dataDir]);
    await eventually(async () => expect(await folder.pid()).not.toBe(pid), 60_000);
    await pause(1_000);
    const named = await readFile(join(folder.dataDir, "database/postmaster.pid"), "utf8");
    process.kill(database, "SIGCONT");
    expect(named.split("\n")[0]).toBe(String(database));
    await eventually(() => expect(next.printed()).toBe("ready"), 60_000);
  });

  test("a process of another user with the database's name is left alone, and does not keep the shop from starting", async () => {
    const folder = await newFolder();
    const name = `postgres: ${serverName(folder.dataDir)}: checkpointer`;
    const stranger = spawn("sleep", ["600"], { argv0: name, uid: 1, stdio: "ignore" });
    onTestFinished(() => void stranger.kill("SIGKILL"));
    await eventually(
      async () => expect(await findProcesses(serverName(folder.dataDir))).toHaveLength(1),
      10_000,
    );
    expect(await (await folder.open()).ready()).toBe(true);
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
  });
});
