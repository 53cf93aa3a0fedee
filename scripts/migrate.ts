import { openServer } from "#server/database/engine.ts";
import { listMigrations } from "#server/database/migration-files.ts";
import { applyMigrations } from "#server/database/migrations.ts";
import { readSettings } from "#server/lib/settings.ts";
import { prepareDatabase } from "#server/shop/bootstrap.ts";
import { writeOwnersLists } from "#server/shop/owners-lists.ts";
import { CommandError, runCommand } from "./command.ts";

/*
 * npm run migrate: brings the PostgreSQL database of DATABASE_URL up to date, whether a hosted project's or the
 * owner's, and writes the delivery fees of app/owner/shop.ts and the words of app/owner/search-words.ts into it. It writes the
 * Supabase CLI's history table. (The embedded backend does both at each start.)
 */

const usage = "Usage: npm run migrate    (DATABASE_URL names the database)";

await runCommand(usage, async (words) => {
  if (words.length > 0) throw new CommandError(usage);
  const { databaseUrl } = readSettings(process.env);
  if (!databaseUrl) {
    throw new CommandError("DATABASE_URL is missing: set it to the database's connection string");
  }
  const engine = await openServer(databaseUrl);
  try {
    const [accounts] = await engine.sql.query<{ found: boolean }>(
      "select to_regclass('auth.users') is not null as found",
    );
    if (!accounts?.found) await prepareDatabase(engine.sql);
    const applied = await applyMigrations(engine.sql, await listMigrations());
    await writeOwnersLists(engine.sql);
    for (const { version, name } of applied) console.log(`applied ${version}_${name}`);
    console.log(applied.length > 0 ? `${applied.length} migrations applied.` : "The database is up to date.");
  } finally {
    await engine.close();
  }
});
