import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { Connections } from "#server/database/connections.ts";
import { listMigrations } from "#server/database/migration-files.ts";
import { applyMigrations } from "#server/database/migrations.ts";
import { connectionOptions, ownerConnections } from "#server/database/pool.ts";
import { type Access, startEmbedded } from "#server/database/postgres/embedded.ts";
import { connectionsSql, type Sql } from "#server/database/sql.ts";
import { prepareDatabase } from "#server/shop/bootstrap.ts";

/*
 * One embedded PostgreSQL for a whole run of tests. Each database in it is a copy of a template, which takes 50 ms.
 */

/** Passes test processes the address of the server that their parent started. */
const variable = "SHOP_TEST_SERVER";

const hostedProject = new URL("hosted-project.sql", import.meta.url);

/** What a hosted project brings before the first migration. */
export const readHostedProject = () => readFile(hostedProject, "utf8");

/** A connection to one database of a server. */
export const connectTo = (access: Access, database: string, options: postgres.Options<never> = {}) =>
  postgres({ ...access, database, onnotice: () => {}, ...options });

/** A database that hosted-project.sql and all migrations have made, to be copied. @returns its name */
export const migratedTemplate = (access: Access, server: postgres.Sql) =>
  findTemplate("migrated", server, async (unfinished) => {
    const template = connectTo(access, unfinished, { max: 1 });
    try {
      await template.unsafe(await readHostedProject());
      for (const { version, name, text } of await listMigrations())
        await template.unsafe(text).catch((error: Error) => {
          throw new Error(`${version}_${name}: ${error.message}`);
        });
    } finally {
      await template.end();
    }
  });

/** Starts the server with its template; other processes that this one starts find it. */
export async function startTestServer(): Promise<() => Promise<void>> {
  if (process.env[variable]) return async () => {};
  const dataDir = await mkdtemp(join(tmpdir(), "shop-tests-"));
  let access: Access | null = null;
  const server = await startEmbedded(
    dataDir,
    (address) => {
      access = address;
      return { responds: () => isReady(address) };
    },
    (line) => console.error(line),
    // Tests about what survives a crash start shops of their own; here nothing is worth a flush of the disk.
    { max_connections: "200", fsync: "off", full_page_writes: "off", synchronous_commit: "off" },
  );
  if (!access) throw new Error("The test server was started without a connection");
  process.env[variable] = JSON.stringify(access);
  return async () => {
    delete process.env[variable];
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function isReady(access: Access): Promise<boolean> {
  const sql = connectTo(access, "postgres", { max: 1, connect_timeout: 5 });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** How to reach the server, which is started first if it is not running: in a script, outside the test runner. */
export async function testServer(): Promise<{ access: Access; release: () => Promise<void> }> {
  const release = await startTestServer();
  return { access: JSON.parse(process.env[variable] ?? "null") as Access, release };
}

function connectSql(access: Access, name: string) {
  const options = { ...connectionOptions, ...access, database: name };
  const connections = Connections.to(`postgres://localhost/${name}`, options, ownerConnections);
  return { sql: connectionsSql(connections), connections };
}

/** How far the backend has set up a database: not at all, up to the first migration, or fully. */
export type DatabaseState = "empty" | "prepared" | "migrated";

export async function bringTo(state: DatabaseState, sql: Sql): Promise<void> {
  if (state === "empty") return;
  await prepareDatabase(sql);
  if (state === "migrated") await applyMigrations(sql, await listMigrations());
}

/** Creates the template on the first call; concurrent calls wait for it. @returns its name */
async function findTemplate(
  name: string,
  server: postgres.Sql,
  fill: (unfinished: string) => Promise<void>,
): Promise<string> {
  const unfinished = `${name}_unfinished`;
  await server`select pg_advisory_lock(hashtext(${name}))`;
  try {
    const found = await server`select from pg_database where datname = ${name}`;
    if (found.length > 0) return name;
    await server.unsafe(`drop database if exists ${unfinished} with (force)`);
    await server.unsafe(`create database ${unfinished} template template0`);
    await fill(unfinished);
    await server.unsafe(`alter database ${unfinished} rename to ${name}`);
    return name;
  } finally {
    await server`select pg_advisory_unlock(hashtext(${name}))`;
  }
}

async function templateOf(state: DatabaseState, access: Access, server: postgres.Sql): Promise<string> {
  if (state === "empty") return "template0";
  return findTemplate(`backend_${state}`, server, async (unfinished) => {
    const { sql, connections } = connectSql(access, unfinished);
    await bringTo(state, sql).finally(() => connections.end());
  });
}

/** A database in this state with the verbs of the backend's own code; dropped by `close`. */
export async function openSql(
  state: DatabaseState = "empty",
): Promise<{ sql: Sql; connections: Connections; close: () => Promise<void> }> {
  const { access, release } = await testServer();
  const name = `shop_test_${randomUUID().replaceAll("-", "")}`;
  const server = connectTo(access, "postgres", { max: 1 });
  await server.unsafe(`create database ${name} template ${await templateOf(state, access, server)}`);
  const { sql, connections } = connectSql(access, name);
  return {
    sql,
    connections,
    close: async () => {
      await connections.end();
      await server.unsafe(`drop database ${name} with (force)`);
      await server.end({ timeout: 5 });
      await release();
    },
  };
}
