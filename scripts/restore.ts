import { resolve } from "node:path";
import { readSettings } from "#server/lib/settings.ts";
import { restoreBackup } from "#server/shop/backup/restore.ts";
import { countOf } from "#shared/text/count-of.ts";
import { CommandError, runCommand } from "./command.ts";

/*
 * npm run restore -- FILE: restores a backup into DATA_DIR, which must be empty, and with DATABASE_URL into that
 * database, which must be empty too. All of it or nothing.
 */

const usage = "Usage: npm run restore -- FILE";

await runCommand(usage, async ([path, ...more]) => {
  if (!path || path.startsWith("-") || more.length > 0) throw new CommandError(usage);
  const settings = readSettings(process.env);
  if (settings.hosted) {
    throw new CommandError(
      'A backup is restored into the embedded backend; "npm run move" fills a hosted project.',
    );
  }
  const { manifest, leftOut } = await restoreBackup(settings, resolve(path));
  const { tables, files } = manifest;
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  if (leftOut.length > 0)
    console.log(`Left out, because this version has no place for it: ${leftOut.join(", ")}.`);
  console.log(
    `Restored and compared: ${countOf(rows, "row")} in ${countOf(Object.keys(tables).length, "table")}, ${countOf(files, "file")}. Start the shop with the same settings and "npm start".`,
  );
});
