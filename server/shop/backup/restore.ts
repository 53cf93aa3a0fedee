import { readdir, stat } from "node:fs/promises";
import { canWrite } from "../../api/storage/stored-files.ts";
import { openDatabase } from "../../database/engine.ts";
import { listMigrations } from "../../database/migration-files.ts";
import { applyMigrations, isFromBeforeRelease } from "../../database/migrations.ts";
import { endLeftovers } from "../../database/postgres/leftovers.ts";
import type { Sql } from "../../database/sql.ts";
import { takeLock } from "../../lib/lock.ts";
import { ensureSecrets, type Secrets, writeSecrets } from "../../lib/secrets.ts";
import type { Settings } from "../../lib/settings.ts";
import { StartError } from "../../lib/start-error.ts";
import { prepareDatabase } from "../bootstrap.ts";
import { clearFirstAttempt, isUnfinished, noteFirstAttempt } from "../first-attempt.ts";
import { prepareFirstStartTable } from "../first-start.ts";
import { filesOf, makeSharedTables, shareSecrets } from "../machines.ts";
import { checkBackup, readBackup } from "./backup-file.ts";
import { type Loaded, loadBackup } from "./load.ts";

/** What a folder that counts as empty may contain: backups, files of earlier builds, and the lock file. */
const harmless = new Set(["backups", "releases", "backend.lock"]);

/** Files that root creates in another user's folder would lock that user out. */
async function refuseOthersFolder(dataDir: string): Promise<void> {
  if (process.getuid?.() === 0 && (await stat(dataDir)).uid !== 0)
    throw new StartError(`${dataDir} belongs to another user: run the command as that user`);
}

async function refuseUsedFolder(dataDir: string): Promise<void> {
  // An interrupted first start leaves nothing worth keeping.
  if (await isUnfinished(dataDir)) {
    (await endLeftovers(dataDir)).close();
    await clearFirstAttempt(dataDir);
  }
  const found = (await readdir(dataDir)).find((name) => !harmless.has(name));
  if (found) throw new StartError(`The data folder ${dataDir} is not empty (${found}): name an empty one`);
}

async function refuseUsedDatabase(sql: Sql): Promise<void> {
  const [table] = await sql.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema' limit 1`);
  if (table) throw new StartError(`The database is not empty (${table.name}): name an empty one`);
}

/**
 * The migrations up to the backup's last one; later ones follow at the shop's next start, when its rows exist. A backup
 * from before the first release gets the first one.
 */
async function migrationsOf(versions: string[]) {
  const known = await listMigrations();
  if (isFromBeforeRelease(versions, known)) return { migrations: known.slice(0, 1), isOlder: true };
  const unknown = versions.find((version) => !known.some((migration) => migration.version === version));
  if (unknown) {
    throw new StartError(`The backup was made by a later version of the shop (its migration ${unknown})`);
  }
  const last = versions.toSorted().at(-1) ?? "";
  return { migrations: known.filter(({ version }) => version <= last), isOlder: false };
}

async function readSecretsOf(path: string): Promise<Secrets> {
  for await (const entry of readBackup(path)) if (entry.kind === "secrets") return entry.secrets;
  throw new StartError(`The backup ${path} holds no keys`);
}

/** Keeps the accounts, but removes all sessions, passwords, second steps and email links. */
async function forgetPasswords(sql: Sql): Promise<void> {
  await sql.exec(`
    delete from auth.refresh_tokens;
    delete from auth.sessions;
    delete from private_shop.email_links;
    delete from private_shop.sign_ups;
    delete from private_shop.known_networks;
    delete from private_shop.known_devices;
    delete from auth.mfa_factors;
    delete from private_shop.account_tasks;
    update auth.users
       set encrypted_password = null, confirmation_token = null, recovery_token = null, email_change_token_new = null,
           email_change_token_current = null, email_change = null, reauthentication_token = null`);
}

/**
 * Makes a shop from a backup, in an empty data folder and, with DATABASE_URL, an empty database: all of it or nothing.
 * @param withPasswords whether people keep their passwords and stay signed in; otherwise they choose new ones
 * @throws StartError with one line when the backup is damaged or something is there already
 */
export async function restoreBackup(
  settings: Pick<Settings, "dataDir" | "databaseUrl">,
  path: string,
  { withPasswords = true } = {},
): Promise<Loaded> {
  const { dataDir } = settings;
  const { header } = await checkBackup(path);
  const { migrations, isOlder } = await migrationsOf(header.migrations);
  const secrets = await readSecretsOf(path);
  if (!(await canWrite(dataDir))) throw new StartError(`The data folder ${dataDir} cannot be written`);
  await refuseOthersFolder(dataDir);
  const release = await takeLock(dataDir);
  try {
    await refuseUsedFolder(dataDir);
    const attempt = await noteFirstAttempt(dataDir);
    try {
      const engine = await openDatabase(settings, () => {});
      try {
        const restored = await engine.sql.transaction(async (sql) => {
          if (settings.databaseUrl) {
            await refuseUsedDatabase(sql);
            // A shop that starts on this database waits until it is restored.
            await makeSharedTables(sql);
          }
          const files = filesOf(settings, sql);
          await prepareDatabase(sql);
          await applyMigrations(sql, migrations);
          await prepareFirstStartTable(sql);
          const loaded = await loadBackup(sql, path, {
            save: (head, content) => files.write(head, content),
          });
          if (isOlder) await sql.exec("select private.complete_older_rows()");
          if (withPasswords) await writeSecrets(dataDir, secrets);
          else {
            await forgetPasswords(sql);
            // A folder without keys counts as empty: a first start in it that fails would clear it.
            await ensureSecrets(dataDir);
          }
          // Another machine may start on this database before the one with this folder, and would make keys of its own.
          if (settings.databaseUrl) await shareSecrets(sql, dataDir);
          return loaded;
        }, "unbounded");
        await attempt.done();
        return restored;
      } finally {
        await engine.close();
      }
    } catch (error) {
      await clearFirstAttempt(dataDir);
      throw error;
    }
  } finally {
    await release();
  }
}
