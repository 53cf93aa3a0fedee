import type { Sql } from "../../database/sql.ts";
import type { Client, ConcurrencyLimit } from "../../lib/concurrency-limit.ts";
import type { Caller } from "../caller.ts";
import { answerRows, isAccepted } from "./answer.ts";
import { callSql } from "./call.ts";
import type { DataRequest } from "./query.ts";
import { readSql } from "./read.ts";
import { readSchema, type Schema } from "./schema.ts";
import type { Transactions } from "./transaction.ts";
import { writeSql } from "./write.ts";

type DataParts = { sql: Sql; transactions: Transactions; limit: ConcurrencyLimit };

type DataApi = (
  asked: DataRequest,
  { caller, client, signal }: { caller: Caller; client: Client; signal: AbortSignal },
) => Promise<Response>;

/** The subset of a hosted project's data API that the shop uses: rows of tables, and functions under /rpc/. */
export async function createDataApi({ sql, transactions, limit }: DataParts): Promise<DataApi> {
  const schema = await readSchema(sql);
  return async (asked, { caller, client, signal }) => {
    const { statement, callable, isReadOnly } = plan(asked, schema, caller);
    const isChecked = !isReadOnly && asked.single && !callable;
    const row = await limit.run(
      client,
      () =>
        transactions.run({
          caller,
          statement,
          isReadOnly,
          timeout: callable?.timeout ?? null,
          signal,
          ...(isChecked ? { accepts: isAccepted(asked) } : {}),
        }),
      signal,
      asked.body?.length,
    );
    return answerRows(asked, row, callable);
  };
}

function plan(asked: DataRequest, schema: Schema, { role }: Caller) {
  const isRead = asked.method === "GET" || asked.method === "HEAD";
  if (asked.target.kind === "function") {
    const { callable, ...statement } = callSql(asked, schema);
    return { statement, callable, isReadOnly: isRead || callable.isReadOnly };
  }
  const statement = isRead ? readSql(asked, schema) : writeSql(asked, schema, role);
  return { statement, callable: undefined, isReadOnly: isRead };
}
