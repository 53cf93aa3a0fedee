import type postgres from "postgres";
import { type Connections, within } from "./connections.ts";
import { ownerMs, withoutTimeouts } from "./pool.ts";

/**
 * The few operations that migrations, the seed and the first start need, over postgres.js. They run as the database's
 * owner: row level security does not apply.
 */
export type Sql = {
  /** Runs one statement with $1, $2 … and returns its rows. */
  query<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs a script of any number of statements, without values. */
  exec(text: string): Promise<void>;
  /** Runs `work` in one transaction, which is rolled back if it throws. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, time?: Time): Promise<Result>;
};

/** The statement timeout of a transaction: that of the owner's other work, or none. */
type Time = "bounded" | "unbounded";

/** Longer than the server lets a statement run: only a lost answer takes longer. */
const silenceMs = ownerMs + 10_000;

type Values = postgres.ParameterOrJSON<never>[];

/** The operations inside a transaction. */
function inside(database: postgres.Sql, time: Time): Sql {
  const answered = <Result>(promise: Promise<Result>) =>
    time === "unbounded" ? promise : within(promise, silenceMs);
  const sql: Sql = {
    query: async <Row>(text: string, values: unknown[] = []) =>
      (await answered(database.unsafe(text, values as Values))) as unknown as Row[],
    exec: async (text) => void (await answered(database.unsafe(text).simple())),
    transaction: (work) => work(sql),
  };
  return sql;
}

async function runTransaction<Result>(
  database: postgres.Sql,
  work: (sql: Sql) => Promise<Result>,
  time: Time,
): Promise<Result> {
  const sql = inside(database, time);
  await sql.exec("begin");
  if (time === "unbounded") await sql.exec(withoutTimeouts);
  const result = await work(sql);
  const { command } = await within(database.unsafe("commit"), silenceMs);
  // A statement failed and the work ignored its error: the server has rolled back.
  if (command !== "COMMIT") throw new Error("The transaction was rolled back");
  return result;
}

/** The operations over connections to a PostgreSQL server. */
export function connectionsSql(connections: Connections): Sql {
  return {
    query: (text, values) =>
      connections.use((database) => inside(database, "unbounded").query(text, values), silenceMs),
    exec: (text) => connections.use((database) => inside(database, "unbounded").exec(text), silenceMs),
    transaction: (work, time = "bounded") =>
      connections.use((database) => runTransaction(database, work, time), null),
  };
}
