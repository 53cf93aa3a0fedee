import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import postgres from "postgres";
import { listMigrations } from "#server/embedded/migrations.ts";

export type Engine = "pglite" | "postgres";

/** In whose name a statement runs: what the data API makes of a request's token. */
export type Person = { role: "anon" | "authenticated" | "service_role"; id?: string };

export type Row = Record<string, unknown>;

/** Runs one statement with numbered parameters and answers its rows. */
export type Query = <T extends object = Row>(sql: string, parameters?: unknown[]) => Promise<T[]>;

export interface Database {
  engine: Engine;
  /** As the owner of the database, who is above every rule about people. */
  query: Query;
  /** Several statements without parameters. */
  run(sql: string): Promise<void>;
  /** One transaction in somebody's name, as the data API runs a request; it commits unless the work throws. */
  as<T>(person: Person, work: (query: Query) => Promise<T>): Promise<T>;
  /** One transaction of the owner. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const serverAddress = process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** Why PostgreSQL cannot be tested here, or null when it can. */
export async function findPostgresProblem(): Promise<string | null> {
  const server = postgres(serverAddress, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    await server`select 1`;
    return null;
  } catch (error) {
    return `no PostgreSQL at ${new URL(serverAddress).host} (${error instanceof Error ? error.message : error})`;
  } finally {
    await server.end({ timeout: 1 });
  }
}

async function impersonate(query: Query, person: Person): Promise<void> {
  const claims = JSON.stringify({ role: person.role, ...(person.id ? { sub: person.id } : {}) });
  await query("select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)", [
    claims,
    person.role,
  ]);
}

const hostedProject = await readFile(new URL("hosted-project.sql", import.meta.url), "utf8");

/** An empty database of this engine, with what a hosted project brings and, unless told otherwise, all migrations. */
export async function openDatabase(engine: Engine, options: { migrate?: boolean } = {}): Promise<Database> {
  if (engine === "pglite" && options.migrate !== false) return openMigratedPglite();
  const database = engine === "pglite" ? wrapPglite(await createPglite()) : await openPostgres();
  try {
    await database.run(hostedProject);
    if (options.migrate !== false) await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Applies all migrations, each in one transaction of its own; an error names its file. */
export async function migrate(database: Database): Promise<void> {
  for (const { version, name, text } of await listMigrations()) {
    try {
      await database.run(text);
    } catch (error) {
      throw new Error(`${version}_${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
}

const createPglite = (dataDir?: Blob) =>
  PGlite.create({ extensions: { pg_trgm, unaccent }, ...(dataDir ? { loadDataDir: dataDir } : {}) });

/** Making a database costs five times the work of unpacking one, so the migrated one is kept in .cache. */
async function openMigratedPglite(): Promise<Database> {
  const migrations = await listMigrations();
  const { version } = JSON.parse(
    await readFile(new URL("../../node_modules/@electric-sql/pglite/package.json", import.meta.url), "utf8"),
  ) as { version: string };
  const contents = JSON.stringify([version, hostedProject, migrations]);
  const folder = new URL("../../.cache/", import.meta.url);
  const file = new URL(
    `pglite-${createHash("sha256").update(contents).digest("hex").slice(0, 16)}.tar`,
    folder,
  );
  const kept = await readFile(file).catch(() => null);
  if (kept) return wrapPglite(await createPglite(new Blob([kept])));

  const pglite = await createPglite();
  const database = wrapPglite(pglite);
  await database.run(hostedProject);
  await migrate(database);
  const dump = await pglite.dumpDataDir("none");
  await mkdir(folder, { recursive: true });
  for (const outdated of await readdir(folder)) {
    if (outdated.startsWith("pglite-")) await rm(new URL(outdated, folder), { force: true });
  }
  const unfinished = new URL(`${randomUUID()}.tar`, folder);
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()));
  await rename(unfinished, file);
  return database;
}

function wrapPglite(pglite: PGlite): Database {
  const query: Query = async (sql, parameters) => (await pglite.query(sql, parameters)).rows as never;
  const transaction: Database["transaction"] = (work) =>
    pglite.transaction((tx) =>
      work(async (sql, parameters) => (await tx.query(sql, parameters)).rows as never),
    ) as never;
  return {
    engine: "pglite",
    query,
    run: async (sql) => void (await pglite.exec(sql)),
    transaction,
    as: (person, work) =>
      transaction(async (query) => {
        await impersonate(query, person);
        return work(query);
      }),
    close: () => pglite.close(),
  };
}

const jsonText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

// Counts as numbers, and JSON that is text already not encoded once more.
const asPgliteHasThem = {
  bigint: { to: 20, from: [20], parse: Number, serialize: String },
  json: { to: 114, from: [114], parse: JSON.parse, serialize: jsonText },
  jsonb: { to: 3802, from: [3802], parse: JSON.parse, serialize: jsonText },
};

async function openPostgres(): Promise<Database> {
  const name = `adwene_test_${randomUUID().replaceAll("-", "")}`;
  const server = postgres(serverAddress, { max: 1, onnotice: () => {} });
  await server.unsafe(`create database ${name} template template0`);
  const address = new URL(serverAddress);
  address.pathname = `/${name}`;
  const pool = postgres(address.href, { max: 20, onnotice: () => {}, types: asPgliteHasThem });
  const queryWith =
    (connection: postgres.Sql | postgres.TransactionSql): Query =>
    async (sql, parameters) =>
      [...(await connection.unsafe(sql, (parameters ?? []) as never[], { prepare: true }))] as never;
  const transaction: Database["transaction"] = (work) =>
    pool.begin((connection) => work(queryWith(connection))) as never;
  return {
    engine: "postgres",
    query: queryWith(pool),
    run: async (sql) => void (await pool.unsafe(sql)),
    transaction,
    as: (person, work) =>
      transaction(async (query) => {
        await impersonate(query, person);
        return work(query);
      }),
    close: async () => {
      await pool.end({ timeout: 5 });
      await server.unsafe(`drop database ${name} with (force)`);
      await server.end({ timeout: 5 });
    },
  };
}
