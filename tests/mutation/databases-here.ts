import type postgres from "postgres";
import { Connections } from "#server/database/connections.ts";
import { connectionOptions, ownerConnections } from "#server/database/pool.ts";
import { connectionsSql, type Sql } from "#server/database/sql.ts";
import {
  bringTo,
  connectTo,
  type DatabaseState,
  openSql as openEmptySql,
  testServer,
} from "../support/test-server.ts";

export * from "../support/test-server.ts";

/*
 * Making a test's database takes longer than most tests. With MUTATION_DATABASE tests get one that has been made before, and find
 * nothing left to do: `emptied` has accounts and files and serves one test after another, `prepared` is a copy of the same for
 * tests that make tables, `migrated` a copy with the shop's tables.
 */

type Opened = Pick<Awaited<ReturnType<typeof openEmptySql>>, "sql" | "connections"> & { name: string };

type Kept = {
  admin: postgres.Sql;
  access: Parameters<typeof connectTo>[0];
  template: string;
  made: number;
  /** As they were made, or about to be. */
  free: Promise<Opened>[];
};

const kind = process.env.MUTATION_DATABASE;

/** Modules are read anew after a failure; this stays. */
const space = globalThis as unknown as { keptDatabases?: Promise<Kept> };

async function makeTemplate(): Promise<Kept> {
  const { access } = await testServer();
  const admin = connectTo(access, "postgres", { max: 3 });
  const template = `mutation_${kind}`;
  const pool = { admin, access, template, made: 0, free: [] };
  if ((await admin`select from pg_database where datname = ${template}`).length > 0) return pool;
  await admin.unsafe(`create database ${template} template template0`);
  const { connections, sql } = connect(pool, template);
  await bringTo(kind === "migrated" ? "migrated" : "prepared", sql);
  await connections.end();
  return pool;
}

function connect({ access }: Kept, name: string): Opened {
  const options = { ...connectionOptions, ...access, database: name };
  const connections = Connections.to(`postgres://localhost/${name}`, options, ownerConnections);
  return { name, connections, sql: connectionsSql(connections) };
}

async function make(pool: Kept): Promise<Opened> {
  pool.made += 1;
  const name = `mutation_${process.pid}_${pool.made}`;
  await pool.admin.unsafe(`create database ${name} template ${pool.template}`);
  return connect(pool, name);
}

/** Truncating takes ten times as long where tables are almost empty. */
async function empty({ sql }: Opened): Promise<void> {
  const tables = await sql.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('auth', 'storage', 'private_shop') and tablename <> 'library'`);
  const deletions = tables.map(({ name }) => `delete from ${name};`).join("");
  await sql.exec(`set lock_timeout = 1000; set session_replication_role = replica; ${deletions} reset all`);
}

/** The same one emptied, or a new one where a changed test has left something running. */
async function renew(pool: Kept, opened: Opened): Promise<Opened> {
  if (kind === "emptied" && opened.connections.metrics().inUse === 0) {
    const isEmpty = await empty(opened).then(
      () => true,
      () => false,
    );
    if (isEmpty) return opened;
  }
  await opened.connections.end();
  pool.admin.unsafe(`drop database ${opened.name} with (force)`).catch(() => {});
  return make(pool);
}

/** The verbs until the test is over: what a change has left behind must not reach the next test. */
function until(isOver: () => boolean, sql: Sql): Sql {
  const guarded = <Args extends unknown[], Result>(verb: (...args: Args) => Promise<Result>) => {
    return (...args: Args) => (isOver() ? Promise.reject(new Error("The test is over")) : verb(...args));
  };
  return {
    query: guarded(sql.query) as Sql["query"],
    exec: guarded(sql.exec),
    transaction: guarded(sql.transaction) as Sql["transaction"],
  };
}

/** Never a copy of a database prepared by unmutated code or by another mutant: the code under test does the remaining steps itself. */
export async function openSql(state: DatabaseState = "empty"): ReturnType<typeof openEmptySql> {
  const opened = await openKept();
  await bringTo(state, opened.sql);
  return opened;
}

async function openKept(): ReturnType<typeof openEmptySql> {
  if (!kind || kind === "empty") return openEmptySql();
  space.keptDatabases ??= makeTemplate();
  const pool = await space.keptDatabases;
  if (pool.free.length === 0) pool.free.push(make(pool), make(pool));
  const opened = await (pool.free.shift() as Promise<Opened>);
  let isOver = false;
  return {
    sql: until(() => isOver, opened.sql),
    connections: opened.connections,
    close: async () => {
      isOver = true;
      const next = renew(pool, opened);
      next.catch(() => {});
      pool.free.push(next);
    },
  };
}
