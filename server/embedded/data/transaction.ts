import type postgres from "postgres";
import type { Caller } from "../caller.ts";
import { type Connections, isLost } from "../connections.ts";
import type { Sql } from "../sql.ts";
import type { Statement } from "./sql-text.ts";

/** As many statements as the data API has under way at a time; the database's owner has connections of their own. */
export const apiConnections = 12;

/** As on a hosted project. */
const timeouts = { anon: "3s", authenticated: "8s", service_role: "120s" } as const;

/** Statements that are kept ready on each connection; unusual requests must not fill the database's memory. */
const mostPrepared = 200;
const timesUntilPrepared = 3;

/** Of the one row that a statement answers: its columns as they came from the database. */
export type Row = (Buffer | null)[];

type Work = {
  caller: Caller;
  statement: Statement;
  isReadOnly: boolean;
  timeout?: string | null;
  /** Asked before the commit; false or an error undoes everything. */
  accepts?: (row: Row) => boolean | Promise<boolean>;
  signal?: AbortSignal;
};

export type Transactions = {
  /** Runs one statement in the caller's name and answers its one row. */
  run(work: Work): Promise<Row>;
  figures: Connections["figures"];
  close(): Promise<void>;
};

/**
 * Connections that are a visitor's until a transaction says otherwise: where `begin` or the settings are lost, what follows has no
 * rights. (Their user is the database's owner.)
 */
const visitorsOwn = {
  application_name: "shop api",
  search_path: "public,extensions",
  TimeZone: "UTC",
  role: "anon",
  statement_timeout: 8_000,
  idle_in_transaction_session_timeout: 10_000,
};

const settingsText = `select set_config('request.jwt.claims', $1::text, true), set_config('request.jwt.claim.sub', $2::text, true),
  set_config('request.jwt.claim.role', $3::text, true), set_config('request.jwt.claim.email', $4::text, true),
  set_config('statement_timeout', $5::text, true), set_config('role', $3::text, true), pg_backend_pid()`;

function settingsOf({ role, userId, claims }: Caller, timeout: string | null | undefined): string[] {
  const email = typeof claims.email === "string" ? claims.email : "";
  return [JSON.stringify({ ...claims, role }), userId ?? "", role, email, timeout ?? timeouts[role]];
}

const unitMs: Record<string, number> = { ms: 1, "": 1, s: 1_000, min: 60_000 };

/** What the server does not end in its time has lost its connection, and would be waited for for ever. */
const marginMs = 5_000;

/** How long the request may take in all: its statement's time, that of a question asked in between, and a little more. */
function timeoutMsOf({ caller, timeout, accepts }: Work): number | null {
  const [, amount, unit = ""] = /^(\d+)\s*(ms|s|min|)$/.exec(timeout ?? timeouts[caller.role]) ?? [];
  const ms = Number(amount) * (unitMs[unit] ?? Number.NaN);
  // 0 means as long as it takes.
  if (!(ms > 0)) return null;
  return ms + marginMs + (accepts ? visitorsOwn.idle_in_transaction_session_timeout : 0);
}

/** A deadlock, or a row that changed: the transaction has left nothing behind and can be run again. */
const isRepeatable = (error: unknown) =>
  /^40(P01|001)$/.test(String((error as { code?: unknown } | null)?.code));
const mostTries = 4;

/** @param sql cancels, on a connection of the owner's */
export function openTransactions(owner: Connections, sql: Sql): Transactions {
  const connections = owner.others(apiConnections, visitorsOwn);
  const uses = new Map<string, number>();

  function isPrepared(text: string): boolean {
    const known = uses.get(text) ?? 0;
    if (known === 0 && uses.size >= mostPrepared) {
      const [rarest] = [...uses].find(([, times]) => times < timesUntilPrepared) ?? [];
      if (rarest === undefined) return false;
      uses.delete(rarest);
    }
    uses.set(text, known + 1);
    return known + 1 >= timesUntilPrepared;
  }

  /**
   * Begin, settings, statement and commit go out together, so that all of it takes one round trip. `accepts` is asked in between,
   * which costs a second one.
   */
  async function runOn(connection: postgres.Sql, work: Work): Promise<Row> {
    const { caller, statement, isReadOnly, accepts, signal } = work;
    signal?.throwIfAborted();
    let canceling: Promise<unknown> = Promise.resolve();
    try {
      const begin = connection.unsafe(isReadOnly ? "begin read only" : "begin");
      const settings = connection
        .unsafe(settingsText, settingsOf(caller, work.timeout), { prepare: true })
        .raw();
      // Not the simple protocol, which prepares nothing: postgres.js takes it for statements without values.
      const options = { prepare: isPrepared(statement.text), simple: false };
      const asked = connection.unsafe(statement.text, statement.values as string[], options).raw();
      const queries: Promise<unknown>[] = [begin, settings, asked];
      if (!accepts) queries.push(connection.unsafe("commit"));
      const cancel = () => {
        canceling = settings.then(([row]) => {
          const pid = (row as unknown as Row)[6]?.toString();
          return sql.query("select pg_cancel_backend($1)", [Number(pid)]);
        });
        canceling.catch(() => {});
      };
      signal?.addEventListener("abort", cancel, { once: true });
      const results = await Promise.allSettled(queries);
      signal?.removeEventListener("abort", cancel);
      const failed = results.find((each) => each.status === "rejected");
      if (failed) throw failed.reason;
      const [row] = (await asked) as unknown as Row[];
      if (!row) throw new Error("The statement has answered no row");
      if (accepts) await connection.unsafe((await accepts(row)) ? "commit" : "rollback");
      return row;
    } catch (error) {
      if (!isLost(error)) await connection.unsafe("rollback");
      throw error;
    } finally {
      // Until it has arrived, a cancellation could meet the next request's statement.
      await canceling.catch(() => {});
    }
  }

  return {
    async run(work) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await connections.use((connection) => runOn(connection, work), timeoutMsOf(work));
        } catch (error) {
          if (!isRepeatable(error) || tries >= mostTries || work.signal?.aborted) throw error;
        }
      }
    },
    figures: () => connections.figures(),
    close: () => connections.end(),
  };
}
