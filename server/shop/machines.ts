import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseFiles } from "../api/storage/database-files.ts";
import { ObjectFiles, type StoredFiles } from "../api/storage/stored-files.ts";
import type { Engine } from "../database/engine.ts";
import { countMachines, type Leading, type Machine, startLeading, withLease } from "../database/lease.ts";
import { connectionsSql, type Sql } from "../database/sql.ts";
import { ensureSecrets, makeSecrets, readSecrets, type Secrets, writeSecrets } from "../lib/secrets.ts";
import type { Settings } from "../lib/settings.ts";
import { StartError } from "../lib/start-error.ts";

/** What a shop that has its database to itself, and one of several machines on the owner's PostgreSQL, do in different ways. */
export type Machines = {
  files: StoredFiles;
  /** Runs the work of a start that no other machine may do at the same time. */
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
  secrets: () => Promise<Secrets>;
  /** Copies covers that an earlier version has written on this machine to where they are now. */
  adoptFiles: () => Promise<void>;
  /** Has this machine do what is done once, or wait for its turn. */
  lead: () => Promise<Leading>;
  close: () => Promise<void>;
};

type StorageSettings = Pick<Settings, "dataDir" | "databaseUrl">;

const schema = readFileSync(new URL("schema/machines.sql", import.meta.url), "utf8");

const schemaVersion = createHash("sha256").update(schema).digest("hex").slice(0, 16);

/** "shop" as bytes, twice: the same in every version, and unlikely in other programs. */
const schemaLock = "8316019240702865264";

const objectsFolder = (dataDir: string) => new ObjectFiles(join(dataDir, "objects"));

/** A statement about leases that is without a response within seconds has to be made on another connection. */
const leaseTimeoutMs = 4_000;

/** Where this process of the shop finds the files. */
export const filesOf = ({ dataDir, databaseUrl }: StorageSettings, sql: Sql): StoredFiles =>
  databaseUrl ? new DatabaseFiles(sql) : objectsFolder(dataDir);

/** How many processes like this one let sign-ins through. */
export const counterOf = ({ databaseUrl }: StorageSettings, sql: Sql) =>
  databaseUrl ? () => countMachines(sql) : undefined;

/**
 * Makes the tables that machines share. In one transaction, so that two that start together don't make them twice, and a restore into
 * this database is over first.
 */
export async function makeSharedTables(sql: Sql): Promise<void> {
  await sql.transaction(async (transaction) => {
    await transaction.query(`select pg_advisory_xact_lock(${schemaLock})`);
    const [table] = await transaction.query<{ version: string | null }>(
      "select obj_description(to_regclass('private_shop.leases'), 'pg_class') as version",
    );
    if (table?.version === schemaVersion) return;
    await transaction.exec(schema);
    await transaction.exec(`comment on table private_shop.leases is '${schemaVersion}'`);
  });
}

/** The database's keys; this folder's become the database's when it has none. @throws StartError when both have others */
export async function shareSecrets(sql: Sql, dataDir: string): Promise<Secrets> {
  const own = await readSecrets(dataDir);
  const { jwtSecret, publishableKey, secretKey } = own ?? makeSecrets();
  await sql.query(
    `insert into private_shop.keys (jwt_secret, publishable_key, secret_key) values ($1, $2, $3)
     on conflict (is_only) do nothing`,
    [jwtSecret, publishableKey, secretKey],
  );
  const [shared] = await sql.query<Secrets>(
    `select jwt_secret as "jwtSecret", publishable_key as "publishableKey", secret_key as "secretKey" from private_shop.keys`,
  );
  if (!shared) throw new StartError("The database of DATABASE_URL holds no keys");
  if (own && JSON.stringify(own) !== JSON.stringify({ ...own, ...shared }))
    throw new StartError(
      `The database of DATABASE_URL is another shop's than the data folder ${dataDir}: its keys (secrets.json) differ. Set DATA_DIR to an empty folder`,
    );
  if (!own) await writeSecrets(dataDir, { ...shared });
  return shared;
}

/** @param log receives lines for the owner's log */
export async function openMachines(
  settings: Settings,
  { sql, connections }: Pick<Engine, "sql" | "connections">,
  log: (line: string) => void,
): Promise<Machines> {
  const { dataDir, databaseUrl, port } = settings;
  const folder = objectsFolder(dataDir);
  if (!databaseUrl)
    return {
      files: folder,
      alone: (work) => work(),
      secrets: () => ensureSecrets(dataDir),
      adoptFiles: () => folder.endBackups(),
      lead: async () => ({ leads: () => true, stop: async () => {} }),
      close: async () => {},
    };
  const files = new DatabaseFiles(sql);
  const machine: Machine = { id: randomUUID(), name: `${hostname()}:${port}` };
  const own = connections.withSettings(1, {
    application_name: "shop (machine)",
    statement_timeout: leaseTimeoutMs,
  });
  const leases = connectionsSql(own, leaseTimeoutMs);
  await makeSharedTables(sql);
  return {
    files,
    alone: (work) => withLease(leases, "start", machine, work),
    secrets: () => shareSecrets(sql, dataDir),
    adoptFiles: () => files.adopt(folder),
    lead: () => startLeading(leases, machine, log),
    close: () => own.end(),
  };
}
