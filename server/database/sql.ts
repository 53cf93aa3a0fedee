import type postgres from "postgres";
import { type Connections, lost, within } from "./connections.ts";
import { ownerMs, ownersSettings, withoutTimeouts } from "./pool.ts";

/**
 * The few operations that migrations, the seed and the first start need, over postgres.js. They run as the database's
 * owner: row level security does not apply.
 */
export type Sql = {
  /**
   * Runs one statement with $1, $2 … and returns its rows.
   * @param use "prepared" for one that requests wait for all the time: once it is prepared, it takes one round trip instead of two
   */
  query<Row = Record<string, unknown>>(text: string, values?: unknown[], use?: Use): Promise<Row[]>;
  /** Runs a script of any number of statements, without values. */
  exec(text: string): Promise<void>;
  /** Runs `work` in one transaction, which is rolled back if it throws. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, time?: Time): Promise<Result>;
};

type Use = "once" | "prepared";

/** The statement timeout of a transaction: that of the owner's other work, or none. */
type Time = "bounded" | "unbounded";

/** Longer than the server lets a statement run: only a lost response takes longer. */
const silenceMs = ownerMs + 10_000;

type Values = postgres.ParameterOrJSON<never>[];

/** The operations inside a transaction. */
function inside(database: postgres.Sql, time: Time): Sql {
  const bounded = <Result>(promise: Promise<Result>) =>
    time === "unbounded" ? promise : within(promise, silenceMs);
  const sql: Sql = {
    query: async <Row>(text: string, values: unknown[] = [], use: Use = "once") =>
      (await bounded(
        database.unsafe(text, values as Values, { prepare: use === "prepared" }),
      )) as unknown as Row[],
    exec: async (text) => void (await bounded(database.unsafe(text).simple())),
    transaction: (work) => work(sql),
  };
  return sql;
}

async function runTransaction<Result>(
  database: postgres.Sql,
  work: (sql: Sql) => Promise<Result>,
  time: Time,
  settings = "",
): Promise<Result> {
  const sql = inside(database, time);
  await sql.exec(`begin;${settings}`);
  if (time === "unbounded") await sql.exec(withoutTimeouts);
  const result = await work(sql);
  const { command } = await within(database.unsafe("commit"), silenceMs);
  // A statement failed and the work ignored its error: the server has rolled back.
  if (command !== "COMMIT") throw new Error("The transaction was rolled back");
  return result;
}

/** The owner's connections may write, except to a replica: then the primary is elsewhere by now. */
const onPrimary = <Result>(work: Promise<Result>) =>
  work.catch((error: { code?: string }) => {
    throw error.code === "25006" ? lost("CONNECTION_CLOSED") : error;
  });

/**
 * The operations over connections to a PostgreSQL server.
 * @param ms a connection that says nothing for longer is lost
 */
export function connectionsSql(connections: Connections, ms = silenceMs): Sql {
  const isPooled = connections.via === "pooler";
  const settings = isPooled ? ownersSettings : "";
  /** Behind a pooler, settings last for one transaction. */
  const run = <Result>(work: (sql: Sql) => Promise<Result>) =>
    connections.use(
      (database) =>
        isPooled ? runTransaction(database, work, "bounded", settings) : work(inside(database, "unbounded")),
      ms,
    );
  return {
    query: (text, values, use) => run((sql) => sql.query(text, values, use)),
    exec: (text) => run((sql) => sql.exec(text)),
    transaction: (work, time = "bounded") =>
      connections.use((database) => onPrimary(runTransaction(database, work, time, settings)), null),
  };
}
