import type { Asker, Lanes } from "../../shared/lanes.ts";
import type { Caller } from "../caller.ts";
import type { Sql } from "../sql.ts";
import { answerRows, isAccepted } from "./answer.ts";
import { callSql } from "./call.ts";
import { readSql } from "./read.ts";
import { readRequest } from "./request.ts";
import { readSchema, type Schema } from "./schema.ts";
import type { Transactions } from "./transaction.ts";
import { writeSql } from "./write.ts";

type DataParts = { sql: Sql; transactions: Transactions; lanes: Lanes };

type DataApi = (request: Request, body: string | null, caller: Caller, asker: Asker) => Promise<Response>;

/** The subset of a hosted project's data API that the shop uses: rows of tables, and functions under /rpc/. */
export async function createDataApi({ sql, transactions, lanes }: DataParts): Promise<DataApi> {
  const schema = await readSchema(sql);
  return async (request, body, caller, asker) => {
    const asked = readRequest(request, new URL(request.url), body);
    const { statement, callable, isReadOnly } = plan(asked, schema, caller);
    const isChecked = !isReadOnly && asked.single && !callable;
    const row = await lanes.run(
      asker,
      () =>
        transactions.run({
          caller,
          statement,
          isReadOnly,
          timeout: callable?.timeout ?? null,
          signal: request.signal,
          ...(isChecked ? { accepts: isAccepted(asked) } : {}),
        }),
      request.signal,
    );
    return answerRows(asked, row, callable);
  };
}

function plan(asked: ReturnType<typeof readRequest>, schema: Schema, { role }: Caller) {
  const isRead = asked.method === "GET" || asked.method === "HEAD";
  if (asked.target.kind === "function") {
    const { callable, ...statement } = callSql(asked, schema);
    return { statement, callable, isReadOnly: isRead || callable.isReadOnly };
  }
  const statement = isRead ? readSql(asked, schema) : writeSql(asked, schema, role);
  return { statement, callable: undefined, isReadOnly: isRead };
}
