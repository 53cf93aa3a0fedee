import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { backupsFolder } from "../../lib/backups-folder.ts";
import { type Backups, keepBackups, lastNight, startNightly } from "./nightly.ts";

const manifest = { tables: {}, files: 0, missingFiles: 0, sha256: "" };
const hours = 60 * 60 * 1000;
let dataDir = "";

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "adwene-nightly-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Backups whose files are as old as their names say. */
function backupsAt(clock: { now: Date }) {
  return keepBackups(dataDir, async (path) => {
    await writeFile(path, "", { flag: "w" });
    await utimes(path, clock.now, clock.now);
    return manifest;
  });
}

async function openShopAt(opened: Date): Promise<void> {
  await mkdir(backupsFolder(dataDir), { recursive: true });
  await writeFile(join(dataDir, "secrets.json"), "{}");
  await utimes(join(dataDir, "secrets.json"), opened, opened);
}

test("The last night is three o'clock today, or yesterday if that is still to come", () => {
  expect(lastNight(new Date(2026, 10, 20, 3, 0, 0))).toEqual(new Date(2026, 10, 20, 3));
  expect(lastNight(new Date(2026, 10, 20, 2, 59, 59))).toEqual(new Date(2026, 10, 19, 3));
  expect(lastNight(new Date(2026, 10, 1, 1))).toEqual(new Date(2026, 9, 31, 3));
});

test("A shop opened today waits for its first night; then there is one backup a night", async () => {
  const clock = { now: new Date(2026, 10, 20, 9) };
  await openShopAt(clock.now);
  const backups = backupsAt(clock);
  expect(await backups.makeIfDue(clock.now)).toBe(false);
  clock.now = new Date(2026, 10, 21, 3, 0, 1);
  expect(await backups.makeIfDue(clock.now)).toBe(true);
  expect(await backups.makeIfDue(clock.now)).toBe(false);
});

test("A machine that was off at night makes up for it", async () => {
  const clock = { now: new Date(2026, 10, 25, 8, 30) };
  await openShopAt(new Date(2026, 10, 20));
  expect(await backupsAt(clock).makeIfDue(clock.now)).toBe(true);
});

test("Fourteen nightly backups are kept, and every manual one", async () => {
  const clock = { now: new Date(2026, 10, 1, 4) };
  await openShopAt(new Date(2026, 9, 1));
  const backups = backupsAt(clock);
  await backups.make("backup");
  for (let night = 0; night < 20; night += 1) {
    expect(await backups.makeIfDue(clock.now)).toBe(true);
    clock.now = new Date(clock.now.getTime() + 24 * hours);
  }
  const names = (await readdir(backupsFolder(dataDir))).sort();
  expect(names.filter((name) => name.startsWith("nightly-"))).toHaveLength(14);
  expect(names.at(-1)).toMatch(/^nightly-2026-11-20T/);
  expect(names.filter((name) => name.startsWith("backup-"))).toHaveLength(1);
});

test("A night's backup that fails is due again", async () => {
  await openShopAt(new Date(2026, 10, 1));
  let broken = true;
  const backups = keepBackups(dataDir, async (path) => {
    if (broken) throw Object.assign(new Error("full"), { code: "ENOSPC" });
    await writeFile(path, "");
    return manifest;
  });
  const now = new Date(2026, 10, 20, 9);
  await expect(backups.makeIfDue(now)).rejects.toThrow("full");
  broken = false;
  expect(await backups.makeIfDue(now)).toBe(true);
});

test("Only nightly backups count, and files with other names stay", async () => {
  const clock = { now: new Date(2026, 10, 20, 9) };
  await openShopAt(new Date(2026, 10, 1));
  const others = ["nightly-notes.txt", "my-nightly-2026.jsonl.gz", "backup-2026-11-20T09-00-00Z.jsonl.gz"];
  for (const name of others) await writeFile(join(backupsFolder(dataDir), name), "");
  const backups = backupsAt(clock);
  expect(await backups.makeIfDue(clock.now)).toBe(true);
  const names = (await readdir(backupsFolder(dataDir))).filter((name) => !others.includes(name));
  expect(names).toEqual([expect.stringMatching(/^nightly-2026-11-20T\d\d-00-00Z\.jsonl\.gz$/)]);
});

test("Without the shop's keys there is no shop to back up", async () => {
  const clock = { now: new Date(2026, 10, 20, 9) };
  expect(await backupsAt(clock).makeIfDue(clock.now)).toBe(false);
});

test("Backups are made one at a time, and one that fails does not block the next", async () => {
  const running: string[] = [];
  const seen: string[][] = [];
  const backups = keepBackups(dataDir, async (path) => {
    running.push(path);
    seen.push([...running]);
    await new Promise((resolve) => setImmediate(resolve));
    running.pop();
    if (seen.length === 1) throw new Error("full");
    return manifest;
  });
  const [first, second] = [backups.make("backup"), backups.make("before-migrating")];
  await expect(first).rejects.toThrow("full");
  expect(await second).toEqual({ path: expect.stringContaining("/backups/before-migrating-20"), manifest });
  expect(seen.map(({ length }) => length)).toEqual([1, 1]);
});

test("The schedule is checked a minute after the start and every ten minutes, and a failure is logged once", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const responses: (string | null)[] = ["ENOSPC", "ENOSPC", "EIO", null, "EIO"];
  let requested = 0;
  const lines: string[] = [];
  const makeIfDue = async () => {
    const code = responses[requested] ?? null;
    requested += 1;
    if (code) throw Object.assign(new Error("failed"), { code });
    return false;
  };
  const stop = startNightly({ makeIfDue } as unknown as Backups, (line) => void lines.push(line));
  await vi.advanceTimersByTimeAsync(59_999);
  expect(requested).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(requested).toBe(1);
  await vi.advanceTimersByTimeAsync(40 * 60_000);
  expect(requested).toBe(5);
  expect(lines).toEqual(
    ["the disk is full (ENOSPC)", "EIO", "EIO"].map(
      (reason) => `the night's backup failed (${reason}); retrying every 10 minutes`,
    ),
  );
  await stop();
  expect(vi.getTimerCount()).toBe(0);
  await startNightly({ makeIfDue } as unknown as Backups, () => {})();
  expect(vi.getTimerCount()).toBe(0);
});

test("A failure without a code is logged by its name, and the schedule keeps no process alive", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const timers = [vi.spyOn(globalThis, "setTimeout"), vi.spyOn(globalThis, "setInterval")];
  const lines: string[] = [];
  const makeIfDue = () => Promise.reject(new RangeError("broken"));
  const stop = startNightly({ makeIfDue } as unknown as Backups, (line) => void lines.push(line));
  const started = timers.flatMap(({ mock }) => mock.results.map(({ value }) => value as NodeJS.Timeout));
  // Before the clock is real again: restored later, the next files of this worker would get the simulated one for good.
  for (const timer of timers) timer.mockRestore();
  expect(started.map((timer) => timer.hasRef())).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual(["the night's backup failed (RangeError); retrying every 10 minutes"]);
  await stop();
});
