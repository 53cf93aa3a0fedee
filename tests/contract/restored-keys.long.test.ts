import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ObjectFiles } from "#server/api/storage/stored-files.ts";
import { openDatabase } from "#server/database/engine.ts";
import { makeSecrets, readSecrets } from "#server/lib/secrets.ts";
import { readSettings } from "#server/lib/settings.ts";
import { makeBackup } from "#server/shop/backup/make.ts";
import { restoreBackup } from "#server/shop/backup/restore.ts";
import { openMachines } from "#server/shop/machines.ts";
import { openOwnApi } from "#tests/support/own-api.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "restore-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A backup of a shop with these keys. */
async function backUp(secrets: ReturnType<typeof makeSecrets>): Promise<string> {
  const { sql, dataDir, close } = await openOwnApi();
  onTestFinished(close);
  const path = join(await newFolder(), "shop.backup");
  await makeBackup({ sql, files: new ObjectFiles(join(dataDir, "objects")), secrets }, path);
  return path;
}

/** The keys that a machine gets when it starts on a database. */
async function keysOfMachine(databaseUrl: string, dataDir: string) {
  const settings = readSettings({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
  const engine = await openDatabase(settings, () => {});
  try {
    const machines = await openMachines(settings, engine, () => {});
    return await machines.secrets().finally(machines.close);
  } finally {
    await engine.close();
  }
}

test.each([
  { command: "restore", withPasswords: true },
  { command: "move", withPasswords: false },
])(
  "after a $command into the owner's PostgreSQL, an empty machine that starts first gets its keys",
  async ({ withPasswords }) => {
    const secrets = makeSecrets();
    const path = await backUp(secrets);
    const database = await newDatabase();
    onTestFinished(database.drop);
    const restored = await newFolder();
    await restoreBackup({ dataDir: restored, databaseUrl: database.url }, path, { withPasswords });
    const keys = await readSecrets(restored);
    if (withPasswords) expect(keys).toEqual(secrets);
    else expect(keys?.jwtSecret).not.toBe(secrets.jwtSecret);
    expect(await keysOfMachine(database.url, await newFolder())).toEqual(keys);
    expect(await keysOfMachine(database.url, restored)).toEqual(keys);
  },
);
