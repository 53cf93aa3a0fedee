import { resolve } from "node:path";
import { restoreBackup } from "#server/embedded/backup/restore.ts";
import { readSettings } from "#server/settings.ts";
import { CommandError, runCommand } from "./command.ts";

/*
 * npm run restore -- FILE: makes the shop of a backup in DATA_DIR, which must be empty, and with DATABASE_URL in that
 * database, which must be empty too. All of it or nothing.
 */

await runCommand(async ([path, ...more]) => {
  if (!path || more.length > 0) throw new CommandError("Usage: npm run restore -- FILE");
  const settings = readSettings(process.env);
  if (settings.hosted) {
    throw new CommandError(
      'A backup is restored into the embedded backend; "npm run move" fills a hosted project.',
    );
  }
  const { tables, files } = await restoreBackup(settings, resolve(path));
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `Restored and compared: ${rows} rows in ${Object.keys(tables).length} tables, ${files} covers. Start the shop with "npm start".`,
  );
});
