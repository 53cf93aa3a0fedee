import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { databaseNames } from "../database/postgres/folder.ts";
import { flushFolder, writeDurably } from "../lib/durable-file.ts";
import { readSecrets } from "../lib/secrets.ts";

/** What the backend creates in a data folder before its first start is complete. */
const made = [...databaseNames, "secrets.json", "first-admin.json", "objects", "backend.sock"];
const createdEmpty = ["outbox", "mail-queue", "backups"];

/** Under such a name a file is written before it gets its own; a kill in that moment leaves it (see writeDurably). */
const isHalfWritten = (name: string, whole: string) => name.startsWith(`${whole}.`) && name.endsWith(".tmp");

/** Exists from before anything is created until the first start is complete. */
const attemptMark = (dataDir: string) => join(dataDir, "first-start.unfinished");

/** Whether a first start or a restore was interrupted in this folder: the shop has not been used yet. */
export const isUnfinished = (dataDir: string) =>
  stat(attemptMark(dataDir)).then(
    () => true,
    () => false,
  );

/** Removes what an unfinished first start created, so that the folder is empty again. */
export async function clearFirstAttempt(dataDir: string): Promise<void> {
  const isMade = (name: string) => made.some((one) => name === one || isHalfWritten(name, one));
  for (const name of (await readdir(dataDir)).filter(isMade))
    await rm(join(dataDir, name), { recursive: true, force: true });
  for (const name of createdEmpty) await rmdir(join(dataDir, name)).catch(() => {});
  await rm(attemptMark(dataDir), { force: true });
}

/**
 * Called before anything is made in a data folder.
 * @returns `done`, to be called when the start has succeeded and before the first request, and `undo`, which clears the folder if
 * it was the first and did not succeed
 */
export async function noteFirstAttempt(
  dataDir: string,
): Promise<{ done: () => Promise<void>; undo: () => Promise<void> }> {
  let unfinished = (await isUnfinished(dataDir)) || (await readSecrets(dataDir)) === null;
  if (unfinished) await writeDurably(attemptMark(dataDir), "", 0o600);
  return {
    done: async () => {
      if (!unfinished) return;
      unfinished = false;
      await rm(attemptMark(dataDir));
      // If a power cut brought the marker back, a restore would delete the shop.
      await flushFolder(dataDir);
    },
    undo: async () => {
      if (unfinished) await clearFirstAttempt(dataDir);
    },
  };
}
