import { copyFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { readSettings } from "#server/lib/settings.ts";
import { countOf } from "#shared/text/count-of.ts";
import { CommandError, runCommand } from "./command.ts";
import { describeManifest } from "./manifest-counts.ts";
import { askForBackup } from "./owner-client.ts";

/*
 * npm run backup [-- FILE]: the database and the covers in one file, even while the shop runs. Without a name it goes to
 * DATA_DIR/backups.
 */

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
  console.log(
    `${target ? resolve(target) : path}: ${describeManifest(manifest, ["book", "order", "profile"])}.`,
  );
  if (manifest.missingFiles > 0)
    console.log(`${countOf(manifest.missingFiles, "cover has", "covers have")} no file.`);
});
