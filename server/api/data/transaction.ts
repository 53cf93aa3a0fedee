import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { type Connections, isLost, lost } from "../../database/connections.ts";
import { statementLimits } from "../../database/pool.ts";
import type { Sql } from "../../database/sql.ts";
import type { Caller } from "../caller.ts";
import type { Statement } from "./sql-text.ts";

/** How long a statement may run, by the caller's role, in milliseconds: as on a hosted project. */
const hostedTimeouts = { anon: 3_000, authenticated: 8_000, service_role: 120_000 };
export type StatementTimeouts = typeof hostedTimeouts;

/** Statements prepared on each connection; unusual requests must not fill the database's memory. */
const maxPrepared = 200;
const timesUntilPrepared = 3;

const cancelAgainMs = 50;

/** A statement's one row: its columns as they came from the database. */
export type Row = (Buffer | null)[];

type Work = {
  caller: Caller;
  statement: Statement;
  isReadOnly: boolean;
  timeout?: string | null;
  /** Called before the commit; false or an error undoes everything. */
  accepts?: (row: Row) => boolean | Promise<boolean>;
  signal?: AbortSignal;
};

export type Transactions = {
  /** Runs one statement in the caller's name and returns its one row. */
  run(work: Work): Promise<Row>;
  metrics: Connections["metrics"];
  close(): Promise<void>;
};

/** Between the statements of a transaction. */
const idleMs = 10_000;

const visitorsClaims = JSON.stringify({ role: "anon" });

/**
 * Connections that are a visitor's, who reads, until a transaction says otherwise: where `begin` or the settings are lost, what follows has
 * no rights. (Their user is the database's owner.) So a visitor's read needs no transaction of its own.
 */
const visitorsOwn = (timeoutMs: number) => ({
  application_name: "shop api",
  search_path: "public,extensions",
  TimeZone: "UTC",
  role: "anon",
  default_transaction_read_only: true,
  "request.jwt.claims": visitorsClaims,
  "request.jwt.claim.role": "anon",
  // The driver leaves out what is empty.
  options: "-c request.jwt.claim.sub= -c request.jwt.claim.email=",
  statement_timeout: timeoutMs,
  idle_in_transaction_session_timeout: idleMs,
});

const settingsText = `select set_config('request.jwt.claims', $1::text, true), set_config('request.jwt.claim.sub', $2::text, true),
  set_config('request.jwt.claim.role', $3::text, true), set_config('request.jwt.claim.email', $4::text, true),
  set_config('statement_timeout', $5::text, true), set_config('role', $3::text, true)`;

/** For a connection that a pooler has lent for one transaction: its other settings, and which transaction it is, to cancel no other. */
const borrowedText = `select set_config('search_path', 'public,extensions', true), set_config('TimeZone', 'UTC', true),
  set_config('idle_in_transaction_session_timeout', '10s', true), pg_backend_pid() as pid, transaction_timestamp()::text as began,
  pg_is_in_recovery() as is_replica`;

/** What to cancel: a process of the server, and when it has been lent, the transaction. */
type Target = { pid: number; began: string | null };

/** @throws when it is a replica's: what it says may be old */
function targetOf(row: postgres.Row | undefined): Target {
  if (row?.is_replica) throw lost("CONNECTION_CLOSED");
  return { pid: Number(row?.pid), began: row?.began ?? null };
}

const cancelBorrowedText =
  "select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and xact_start = $2::text::timestamptz";

/**
 * Begins on a connection that a pooler lends for a transaction. Nothing else may be sent before it has succeeded: outside a transaction
 * a statement would have the rights of the database's owner.
 */
function beginBorrowed(connection: postgres.Sql, begin: string, settings: string[]) {
  const opened = connection.unsafe(`${begin}; ${borrowedText}`);
  const set = connection.unsafe(settingsText, settings);
  const target = opened.then((results) => {
    const [, [row]] = results as unknown as [unknown, postgres.Row[]];
    return targetOf(row);
  });
  target.catch(() => {});
  return { target, begun: Promise.all([target, set]) };
}

function settingsOf({ role, userId, claims }: Caller, timeout: string): string[] {
  const email = typeof claims.email === "string" ? claims.email : "";
  return [JSON.stringify({ ...claims, role }), userId ?? "", role, email, timeout];
}

/** Whether the connection's own settings are those of the request: every one of `settingsOf` is. */
const isVisitorsRead = ({ caller, isReadOnly, timeout, accepts }: Work) =>
  isReadOnly &&
  caller.role === "anon" &&
  caller.userId === null &&
  Object.keys(caller.claims).every((claim) => claim === "role") &&
  !timeout &&
  !accepts;

const unitMs: Record<string, number> = { ms: 1, "": 1, s: 1_000, min: 60_000 };

/** What the server does not end in its time has lost its connection, and would be waited for for ever. */
const marginMs = 5_000;

/** How long the request may take in all: its statement's time, `accepts` in between, and a little more. */
function timeoutMsOf(timeout: string, accepts: Work["accepts"]): number | null {
  const [, amount, unit = ""] = /^(\d+)\s*(ms|s|min|)$/.exec(timeout) ?? [];
  const ms = Number(amount) * (unitMs[unit] ?? Number.NaN);
  // 0 means as long as it takes.
  if (!(ms > 0)) return null;
  return ms + marginMs + (accepts ? idleMs : 0);
}

/** A deadlock, or a row that changed: the transaction has left nothing behind and can be run again. */
const isRepeatable = (error: unknown) =>
  /^40(P01|001)$/.test(String((error as { code?: unknown } | null)?.code));
const maxAttempts = 4;

/** How long a read waits for another server to take the place of one that died. */
const failoverMs = 10_000;
const failoverPauseMs = 250;

/**
 * A commit that waits for its replica has no time limit: the server ends such a wait with success, and an order would be confirmed that
 * only the primary has. Its connection's limit ends it instead, and leaves the outcome unknown.
 */
const replicatedCommit = "set local statement_timeout = 0; commit";

/**
 * @param sql cancels, on a connection of the owner's
 * @param most as many statements as are under way at a time; the database's owner has connections of their own
 */
export function openTransactions(
  owner: Connections,
  sql: Sql,
  {
    most = statementLimits(1).running,
    timeouts = hostedTimeouts,
  }: { most?: number; timeouts?: StatementTimeouts } = {},
): Transactions {
  const connections = owner.withSettings(most, visitorsOwn(timeouts.anon));
  const timeoutOf = ({ timeout, caller }: Work) => timeout ?? String(timeouts[caller.role]);
  const isBorrowed = connections.via === "pooler";
  const commitText = connections.via === "own" ? "commit" : replicatedCommit;
  const uses = new Map<string, number>();

  function isPrepared(text: string): boolean {
    const count = uses.get(text) ?? 0;
    if (count === 0 && uses.size >= maxPrepared) {
      const [rarest] = [...uses].find(([, times]) => times < timesUntilPrepared) ?? [];
      if (rarest === undefined) return false;
      uses.delete(rarest);
    }
    uses.set(text, count + 1);
    return count + 1 >= timesUntilPrepared;
  }

  /** The server's process behind a connection, read once, together with the first statement. */
  const processes = new WeakMap<postgres.Sql, Promise<Target>>();
  function processOf(connection: postgres.Sql): Promise<Target> {
    const cached = processes.get(connection);
    if (cached) return cached;
    const target = connection
      .unsafe("select pg_backend_pid() as pid, pg_is_in_recovery() as is_replica")
      .then(([row]) => targetOf(row));
    target.catch(() => {});
    processes.set(connection, target);
    return target;
  }

  /** Ends what a process is doing. It may not have begun yet, so it is ended until it is over. */
  async function cancel(target: Promise<Target>, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const { pid, began } = await target;
      if (began === null) await sql.query("select pg_cancel_backend($1)", [pid]);
      else await sql.query(cancelBorrowedText, [pid, began]);
      await pause(cancelAgainMs);
    }
  }

  function send(connection: postgres.Sql, { text, values }: Statement) {
    // Not the simple protocol, which prepares nothing: postgres.js takes it for statements without values.
    const options = { prepare: isPrepared(text), simple: false };
    return connection.unsafe(text, values as string[], options).raw();
  }

  /**
   * A visitor's read is one message and one response. Otherwise begin, settings, statement and commit go out together, so that
   * all of it takes one round trip; `accepts` runs in between, which costs a second one.
   */
  async function runOn(connection: postgres.Sql, work: Work): Promise<Row> {
    const { caller, statement, isReadOnly, accepts, signal } = work;
    signal?.throwIfAborted();
    const isPlain = !isBorrowed && isVisitorsRead(work);
    const begin = isReadOnly ? "begin read only" : "begin read write";
    const settings = isPlain ? [] : settingsOf(caller, timeoutOf(work));
    const borrowed = isBorrowed ? beginBorrowed(connection, begin, settings) : null;
    const target = borrowed?.target ?? processOf(connection);
    let isOver = false;
    let canceling: Promise<void> = Promise.resolve();
    const giveUp = () => {
      canceling = cancel(target, () => isOver);
      canceling.catch(() => {});
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    try {
      const before: Promise<unknown>[] = [];
      if (borrowed) await borrowed.begun;
      else if (!isPlain) {
        before.push(connection.unsafe(begin));
        before.push(connection.unsafe(settingsText, settings, { prepare: true }));
      }
      const result = send(connection, statement);
      const commit = isReadOnly ? "commit" : commitText;
      const after = isPlain || accepts ? [] : [connection.unsafe(commit)];
      const results = await Promise.allSettled([...before, result, ...after]);
      isOver = true;
      const failed = results.find((each) => each.status === "rejected");
      if (failed) throw failed.reason;
      await target;
      const [row] = (await result) as unknown as Row[];
      if (!row) throw new Error("The statement returned no row");
      if (accepts) await connection.unsafe((await accepts(row)) ? commit : "rollback");
      return row;
    } finally {
      isOver = true;
      signal?.removeEventListener("abort", giveUp);
      // Until it has arrived, a cancellation could meet the next request's statement.
      await canceling.catch(() => {});
    }
  }

  return {
    async run(work) {
      const until = Date.now() + failoverMs;
      for (let tries = 1; ; tries += 1) {
        try {
          return await connections.use(
            (connection) => runOn(connection, work),
            timeoutMsOf(timeoutOf(work), work.accepts),
          );
        } catch (error) {
          const waits = work.isReadOnly && connections.via !== "own" && isLost(error) && Date.now() < until;
          if (waits && !work.signal?.aborted) await pause(failoverPauseMs);
          else if (!isRepeatable(error) || tries >= maxAttempts || work.signal?.aborted) throw error;
        }
      }
    },
    metrics: () => connections.metrics(),
    close: () => connections.end(),
  };
}
