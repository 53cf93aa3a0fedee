import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { backupsFolder, keepBackups, lastNight } from "./nightly.ts";

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

test("The last night is three o'clock today, or yesterday's before that", () => {
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

test("Fourteen nights are kept, and every backup made by hand", async () => {
  const clock = { now: new Date(2026, 10, 1, 4) };
  await openShopAt(new Date(2026, 9, 1));
  const backups = backupsAt(clock);
  await backups.make();
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
