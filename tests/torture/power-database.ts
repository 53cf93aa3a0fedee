import { type Engine, openDatabase } from "#server/database/engine.ts";
import { listMigrations } from "#server/database/migration-files.ts";
import { applyMigrations } from "#server/database/migrations.ts";
import { takeLock } from "#server/lib/lock.ts";
import { ensureSecrets } from "#server/lib/secrets.ts";
import { prepareDatabase } from "#server/shop/bootstrap.ts";

export type Shop = { engine: Engine; release: () => Promise<void> };

/** The shop's database, opened as its backend opens it. */
export async function openShop(dataDir: string): Promise<Shop> {
  const release = await takeLock(dataDir);
  let engine: Engine | null = null;
  try {
    await ensureSecrets(dataDir);
    engine = await openDatabase({ dataDir, databaseUrl: null }, () => {});
    await prepareDatabase(engine.sql);
    await applyMigrations(engine.sql, await listMigrations());
    return { engine, release };
  } catch (error) {
    // It would start its database again, over that of the next opening.
    await engine?.close().catch(() => {});
    // A process that ended would release the lock with its descriptors; this one lives on.
    await release().catch(() => {});
    throw error;
  }
}
