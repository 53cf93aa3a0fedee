import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ensureSecrets, readSecrets } from "./secrets.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "secrets-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("A data folder's keys are generated once, and only their owner can read them", async () => {
  const folder = await newFolder();
  expect(await readSecrets(folder)).toBeNull();
  const made = await ensureSecrets(folder);
  expect(await ensureSecrets(folder)).toEqual(made);
  expect((await stat(join(folder, "secrets.json"))).mode & 0o777).toBe(0o600);
});

test("No two shops share a key, and a publishable key is distinguishable from a secret one", async () => {
  const [one, two] = [await ensureSecrets(await newFolder()), await ensureSecrets(await newFolder())];
  expect(new Set([...Object.values(one), ...Object.values(two)]).size).toBe(6);
  expect(one.publishableKey).toMatch(/^sb_publishable_[\w-]{32}_[\w-]{8}$/);
  expect(one.secretKey).toMatch(/^sb_secret_[\w-]{32}_[\w-]{8}$/);
  expect(one.jwtSecret).toHaveLength(64);
});

test.each([
  "",
  "{",
  "{}",
  "null",
  '{"jwtSecret":"a","publishableKey":"b"}',
  '{"jwtSecret":"a","secretKey":"b"}',
  '{"publishableKey":"a","secretKey":"b"}',
])("Damaged keys (%s) stop the start and are not replaced: sessions depend on them", async (text) => {
  const folder = await newFolder();
  await writeFile(join(folder, "secrets.json"), text);
  await expect(ensureSecrets(folder)).rejects.toThrow("secrets.json is damaged: restore it from a backup");
});

test("Keys that cannot be read stop the start with the reason", async () => {
  await expect(readSecrets(join(await newFolder(), "\0"))).rejects.toThrow(/cannot be read/);
});
