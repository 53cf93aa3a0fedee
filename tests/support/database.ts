import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { listMigrations } from "#server/database/migration-files.ts";
import { ownersServer } from "./owners-postgres.ts";
import { connectTo, migratedTemplate, readHostedProject, testServer } from "./test-server.ts";

/** Which PostgreSQL: the built-in one or the owner's. */
export type Place = "embedded" | "own server";

/** In whose name a statement runs: what the data API makes of a request's token. */
export type Person = { role: "anon" | "authenticated" | "service_role"; id?: string };

export type Row = Record<string, unknown>;

/** Runs one statement with numbered parameters and answers its rows. */
export type Query = <T extends object = Row>(sql: string, parameters?: unknown[]) => Promise<T[]>;

export interface Database {
  /** As the owner of the database, who is above every rule about people. */
  query: Query;
  /** Several statements without parameters. */
  run(sql: string): Promise<void>;
  /** One transaction as the given user, as the data API runs a request; it commits unless the work throws. */
  as<T>(person: Person, work: (query: Query) => Promise<T>): Promise<T>;
  /** One transaction of the owner. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

async function impersonate(query: Query, person: Person): Promise<void> {
  const claims = JSON.stringify({ role: person.role, ...(person.id ? { sub: person.id } : {}) });
  await query("select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)", [
    claims,
    person.role,
  ]);
}

/** Counts as numbers, and JSON that is text already not encoded once more. */
const jsonText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const types = {
  bigint: { to: 20, from: [20], parse: Number, serialize: String },
  json: { to: 114, from: [114], parse: JSON.parse, serialize: jsonText },
  jsonb: { to: 3802, from: [3802], parse: JSON.parse, serialize: jsonText },
};

type Options = {
  place?: Place;
  /** Whether the migrations have run; what a hosted project brings is there in any case. */
  migrate?: boolean;
};

/** A database of its own, dropped when it is closed. */
export async function openDatabase({
  place = "embedded",
  migrate: migrated = true,
}: Options = {}): Promise<Database> {
  const { access, release } = await (place === "own server" ? ownersServer() : testServer());
  const name = `shop_test_${randomUUID().replaceAll("-", "")}`;
  const server = connectTo(access, "postgres", { max: 1 });
  const template = migrated ? await migratedTemplate(access, server) : "template0";
  await server.unsafe(`create database ${name} template ${template}`);
  const pool = connectTo(access, name, { max: 20, types: types as never });
  const database = wrap(pool, async () => {
    await pool.end({ timeout: 5 });
    await server.unsafe(`drop database ${name} with (force)`);
    await server.end({ timeout: 5 });
    await release();
  });
  try {
    if (!migrated) await database.run(await readHostedProject());
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

function wrap(pool: postgres.Sql, close: () => Promise<void>): Database {
  const queryWith =
    (connection: postgres.Sql | postgres.TransactionSql): Query =>
    async (sql, parameters) =>
      [...(await connection.unsafe(sql, (parameters ?? []) as never[], { prepare: true }))] as never;
  const transaction: Database["transaction"] = (work) =>
    pool.begin((connection) => work(queryWith(connection))) as never;
  return {
    query: queryWith(pool),
    run: async (sql) => void (await pool.unsafe(sql)),
    transaction,
    as: (person, work) =>
      transaction(async (query) => {
        await impersonate(query, person);
        return work(query);
      }),
    close,
  };
}
