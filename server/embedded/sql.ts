import type { PGlite } from "@electric-sql/pglite";
import type postgres from "postgres";

/**
 * The few verbs that migrations, the seed and the first start need, the same on both engines.
 * They run as the database's owner: row level security does not apply.
 */
export type Sql = {
  /** Runs one statement with $1, $2 … and answers its rows. */
  query<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs a script of any number of statements, without values. */
  exec(text: string): Promise<void>;
  /** Runs `work` in one transaction; a throw rolls all of it back. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
};

type PGliteQueries = Pick<PGlite, "query" | "exec">;

function pgliteVerbs(database: PGliteQueries): Omit<Sql, "transaction"> {
  return {
    query: async <Row>(text: string, values: unknown[] = []) =>
      (await database.query(text, values)).rows as Row[],
    exec: async (text) => {
      await database.exec(text);
    },
  };
}

/** The verbs over PGlite. */
export function pgliteSql(database: PGlite): Sql {
  return {
    ...pgliteVerbs(database),
    transaction: async <Result>(work: (sql: Sql) => Promise<Result>) =>
      database.transaction((transaction) => {
        const sql: Sql = {
          ...pgliteVerbs(transaction as unknown as PGliteQueries),
          transaction: (inner) => inner(sql),
        };
        return work(sql);
      }) as Promise<Result>,
  };
}

/** The verbs over a PostgreSQL server. */
export function postgresSql(database: postgres.Sql | postgres.TransactionSql): Sql {
  const sql: Sql = {
    query: async <Row>(text: string, values: unknown[] = []) =>
      (await database.unsafe(text, values as postgres.ParameterOrJSON<never>[])) as unknown as Row[],
    exec: async (text) => {
      await database.unsafe(text).simple();
    },
    transaction: async <Result>(work: (sql: Sql) => Promise<Result>) => {
      if (!("begin" in database)) return work(sql);
      return (await database.begin((transaction) => work(postgresSql(transaction)))) as Result;
    },
  };
  return sql;
}
