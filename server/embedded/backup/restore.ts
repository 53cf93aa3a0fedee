import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../../settings.ts";
import { prepareDatabase } from "../bootstrap.ts";
import { writeDurably } from "../durable-file.ts";
import { openPglite, openPostgres } from "../engine.ts";
import { canWrite, ObjectFiles } from "../files.ts";
import { prepareFirstStartTable } from "../first-start.ts";
import { takeLock } from "../lock.ts";
import { applyMigrations, listMigrations } from "../migrations.ts";
import { type Secrets, writeSecrets } from "../secrets.ts";
import type { Sql } from "../sql.ts";
import { StartError } from "../start-error.ts";
import { checkBackup, type Manifest, readBackup } from "./backup-file.ts";
import { loadBackup } from "./load.ts";

/** What may lie in a folder that counts as empty: where backups are, and what a lock leaves while it is held. */
const harmless = new Set(["backups", "backend.lock", "backend.lock.gate"]);

async function refuseUsedFolder(dataDir: string): Promise<void> {
  const found = (await readdir(dataDir)).find((name) => !harmless.has(name));
  if (found) throw new StartError(`The data folder ${dataDir} is not empty (${found}): name an empty one`);
}

async function refuseUsedDatabase(sql: Sql): Promise<void> {
  const [table] = await sql.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema' limit 1`);
  if (table) throw new StartError(`The database is not empty (${table.name}): name an empty one`);
}

/** The migrations that the backup's database had; later ones follow at the shop's next start. */
async function migrationsOf(versions: string[]) {
  const known = await listMigrations();
  const unknown = versions.find((version) => !known.some((migration) => migration.version === version));
  if (unknown) {
    throw new StartError(`The backup was made by a later version of the shop (its migration ${unknown})`);
  }
  return known.filter(({ version }) => versions.includes(version));
}

async function readSecretsOf(path: string): Promise<Secrets> {
  for await (const entry of readBackup(path)) if (entry.kind === "secrets") return entry.secrets;
  throw new StartError(`The backup ${path} holds no keys`);
}

/** Accounts stay, nobody is signed in, and no password and no mail's link opens any of them. */
async function forgetPasswords(sql: Sql): Promise<void> {
  await sql.exec(`
    delete from auth.refresh_tokens;
    delete from auth.sessions;
    delete from auth.flow_state;
    update auth.users
       set encrypted_password = null, recovery_token = null, email_change_token_new = null,
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
): Promise<Manifest> {
  const { dataDir } = settings;
  const files = new ObjectFiles(join(dataDir, "objects"));
  const { header } = await checkBackup(path);
  const migrations = await migrationsOf(header.migrations);
  const secrets = await readSecretsOf(path);
  if (!(await canWrite(dataDir))) throw new StartError(`The data folder ${dataDir} cannot be written`);
  const release = await takeLock(dataDir);
  try {
    await refuseUsedFolder(dataDir);
    try {
      const engine = await (settings.databaseUrl ? openPostgres(settings.databaseUrl) : openPglite(dataDir));
      try {
        if (settings.databaseUrl) await refuseUsedDatabase(engine.sql);
        return await engine.sql.transaction(async (sql) => {
          await prepareDatabase(sql);
          await applyMigrations(sql, migrations);
          await prepareFirstStartTable(sql);
          const manifest = await loadBackup(sql, path, {
            save: async ({ bucket, name }, content) => {
              await files.prepare();
              await writeDurably(files.path(bucket, name), content);
            },
          });
          if (withPasswords) await writeSecrets(dataDir, secrets);
          else await forgetPasswords(sql);
          return manifest;
        });
      } finally {
        await engine.close();
      }
    } catch (error) {
      for (const name of ["database", "objects", "secrets.json"]) {
        await rm(join(dataDir, name), { recursive: true, force: true });
      }
      throw error;
    }
  } finally {
    await release();
  }
}
