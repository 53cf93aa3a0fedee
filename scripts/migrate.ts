import { openServer } from "#server/database/engine.ts";
import { listMigrations } from "#server/database/migration-files.ts";
import { applyMigrations } from "#server/database/migrations.ts";
import { readSettings } from "#server/lib/settings.ts";
import { prepareDatabase } from "#server/shop/bootstrap.ts";
import { hasPaysOnline, writeFirstSettings, writeOwnSettings } from "#server/shop/first-settings.ts";
import { CommandError, runCommand } from "./command.ts";

/*
 * npm run migrate: brings the PostgreSQL database of DATABASE_URL up to date, whether a hosted project's or the
 * owner's, and gives it the first values of the settings that it needs itself. With SHOP_DEMO=0 a new database gets settings
 * without the demo's words. It writes the Supabase CLI's history table. (The embedded backend does all this at each start.)
 */

const usage = "Usage: npm run migrate    (DATABASE_URL names the database)";

await runCommand(usage, async (words) => {
  if (words.length > 0) throw new CommandError(usage);
  const { databaseUrl, demo, paystack } = readSettings(process.env);
  if (!databaseUrl) {
    throw new CommandError("DATABASE_URL is missing: set it to the database's connection string");
  }
  const engine = await openServer(databaseUrl);
  try {
    const [accounts] = await engine.sql.query<{ found: boolean }>(
      "select to_regclass('auth.users') is not null as found",
    );
    if (!accounts?.found) await prepareDatabase(engine.sql);
    const migrations = await listMigrations();
    const applied = await applyMigrations(engine.sql, migrations);
    if (!demo && applied.length === migrations.length) await writeOwnSettings(engine.sql);
    // The shop may have the key even if it isn't set here, so the stored value stays.
    const isKnown = "PAYSTACK_SECRET_KEY" in process.env || !(await hasPaysOnline(engine.sql));
    await writeFirstSettings(engine.sql, isKnown ? paystack !== null : undefined);
    for (const { version, name } of applied) console.log(`applied ${version}_${name}`);
    console.log(applied.length > 0 ? `${applied.length} migrations applied.` : "The database is up to date.");
  } finally {
    await engine.close();
  }
});
