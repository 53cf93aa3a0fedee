import { copyFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Manifest } from "#server/embedded/backup/backup-file.ts";
import { readSettings } from "#server/shared/settings.ts";
import { CommandError, runCommand } from "./command.ts";
import { askForBackup } from "./owner-client.ts";

/*
 * npm run backup [-- FILE]: the database and the covers in one file, even while the shop runs. Without a name it goes to
 * DATA_DIR/backups.
 */

const countOf = (manifest: Manifest, table: string) => manifest.tables[table]?.rows ?? 0;

const usage = "Usage: npm run backup [-- FILE]";

await runCommand(usage, async ([target, ...more]) => {
  if (more.length > 0 || target?.startsWith("-")) throw new CommandError(usage);
  const settings = readSettings(process.env);
  if (settings.hosted) {
    throw new CommandError("A hosted project is backed up by its host: see its dashboard under Backups.");
  }
  const { path, manifest } = await askForBackup(settings);
  if (target) {
    await copyFile(path, resolve(target));
    await rm(path);
  }
  const counts = ["books", "orders", "profiles"].map(
    (noun) => `${countOf(manifest, `public.${noun}`)} ${noun}`,
  );
  console.log(`${target ? resolve(target) : path}: ${counts.join(", ")}, ${manifest.files} covers.`);
  if (manifest.missingFiles > 0) console.log(`${manifest.missingFiles} covers have no file.`);
});
