import type { Sql } from "../../database/sql.ts";
import type { Client, ConcurrencyLimit } from "../../lib/concurrency-limit.ts";
import { nextTurn } from "../../lib/loop-turns.ts";
import type { Caller } from "../caller.ts";
import { callSql } from "./call.ts";
import type { DataRequest } from "./query.ts";
import { readSql } from "./read.ts";
import { isAccepted, rowsResponse } from "./response.ts";
import { readSchema, type Schema } from "./schema.ts";
import type { Transactions } from "./transaction.ts";
import { writeSql } from "./write.ts";

type DataParts = { sql: Sql; transactions: Transactions; limit: ConcurrencyLimit };

type DataApi = (
  request: DataRequest,
  { caller, client, signal }: { caller: Caller; client: Client; signal: AbortSignal },
) => Promise<Response>;

/** The subset of a hosted project's data API that the shop uses: rows of tables, and functions under /rpc/. */
export async function createDataApi({ sql, transactions, limit }: DataParts): Promise<DataApi> {
  const schema = await readSchema(sql);
  return async (request, { caller, client, signal }) => {
    const { statement, callable, isReadOnly } = plan(request, schema, caller);
    const isChecked = !isReadOnly && request.single && !callable;
    const row = await limit.run(
      client,
      () =>
        transactions.run({
          caller,
          statement,
          isReadOnly,
          timeout: callable?.timeout ?? null,
          signal,
          ...(isChecked ? { accepts: isAccepted(request) } : {}),
        }),
      signal,
      request.body?.length,
    );
    await nextTurn();
    return rowsResponse(request, row, callable);
  };
}

function plan(request: DataRequest, schema: Schema, { role }: Caller) {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (request.target.kind === "function") {
    const { callable, ...statement } = callSql(request, schema);
    return { statement, callable, isReadOnly: isRead || callable.isReadOnly };
  }
  const statement = isRead ? readSql(request, schema) : writeSql(request, schema, role);
  return { statement, callable: undefined, isReadOnly: isRead };
}
