import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readShopState } from "./shop-state.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "shop-state-"));
});
afterEach(() => rm(folder, { recursive: true }));

const row = { emails_waiting: 2, email_waits: 8.5, emails_unsent: 1, payments_to_decide: 0 };

test("reads the work from the database, the newest backup and the free space", async () => {
  await mkdir(join(folder, "backups"));
  for (const [name, time] of [
    ["nightly-1.jsonl.gz", 1_000],
    ["backup-2.jsonl.gz", 2_000],
    ["nightly-3.jsonl.gz.part", 3_000],
  ] as const) {
    await writeFile(join(folder, "backups", name), "");
    await utimes(join(folder, "backups", name), time, time);
  }
  expect(await readShopState({ kind: "embedded", call: async () => [row] }, folder)).toEqual({
    work: { emailsWaiting: 2, emailWaits: 8.5, emailsUnsent: 1, paymentsToDecide: 0 },
    backupAt: 2_000,
    freeBytes: expect.any(Number),
  });
});

test("knows no work while the database is away, and no backup before the first", async () => {
  const call = () => Promise.reject(new Error("away"));
  expect(await readShopState({ kind: "embedded", call }, folder)).toMatchObject({
    work: null,
    backupAt: null,
  });
});

test("says nothing of a hosted project's backups and disk, nor of its work without the secret key", async () => {
  expect(await readShopState({ kind: "hosted", call: null }, folder)).toEqual({
    work: null,
    backupAt: null,
    freeBytes: null,
  });
});
