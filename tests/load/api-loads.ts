import { isDeepStrictEqual } from "node:util";
import autocannon from "autocannon";
import type postgres from "postgres";
import { familyOf } from "#tests/torture/processes.ts";
import { type Call, countedTables, type RowCounts, type Statement, type Target } from "./api-targets.ts";
import { processorTime } from "./processes.ts";
import { percentile } from "./report.ts";
import { asOwner } from "./running-shop.ts";
import { countsSince, expectWork, readCounts } from "./shop-counts.ts";

export const CONNECTIONS = 10;
/** How many calls' responses are compared with what the floor's statement returns. */
const COMPARED = 20;

export type Turn = { perSecond: number; p99: number; node: number; postgres: number };
export type Shop = { url: string; key: string; pids: number[]; sql: postgres.Sql };

/** Counts on across turns, so that no customer orders too often. */
const turns = new Map<string, number>();
function nextTurn(name: string): number {
  const turn = turns.get(name) ?? 0;
  turns.set(name, turn + 1);
  return turn;
}

/** The headers of one client's call; each client has its own address. */
const headersOf = (key: string, client: string, { body, token }: Call) => ({
  apikey: key,
  "x-forwarded-for": client,
  ...(body ? { "content-type": "application/json" } : {}),
  ...(token ? { authorization: `Bearer ${token}` } : {}),
});

const clientOf = (turn: number) => `2001:db8:${(turn % 60_000).toString(16)}::1`;

/** @throws Error if a call returns anything other than its floor, the same SQL statement */
export async function compareWithFloor({ url, key, sql }: Shop, target: Target): Promise<void> {
  for (let turn = 0; turn < COMPARED; turn += 1) {
    const [call, statement] = [target.calls(turn)[0], target.statements(turn)[0]];
    if (!call || !statement) throw new Error(`${target.name} has no calls`);
    const { path, body } = call;
    const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const response = await fetch(url + path, { ...init, headers: headersOf(key, clientOf(turn), call) });
    const [row] = await sql.unsafe(statement.text, statement.values);
    const [value] = Object.values(row ?? {});
    const expected = typeof value === "string" ? (JSON.parse(value) as unknown) : value;
    if (!isDeepStrictEqual(await response.json(), expected))
      throw new Error(`${target.name}: the API and the database return different rows for ${path}`);
  }
}

const countRows = async (sql: postgres.Sql): Promise<RowCounts> => {
  const counts: RowCounts = {};
  await asOwner(sql, async (owner) => {
    for (const table of countedTables) {
      const [row] = await owner<
        { count: number }[]
      >`select count(*)::int as count from public.${owner(table)}`;
      counts[table] = row?.count ?? 0;
    }
  });
  return counts;
};

/** Loads the shop with a target's calls. @throws Error if one fails, or if the shop or the database has counted other work */
export async function loadOverHttp(
  { url, key, pids, sql }: Shop,
  target: Target,
  seconds: number,
): Promise<Turn> {
  const steps = target.calls(0).length;
  const requests = Array.from({ length: steps }, (_, step) => ({
    setupRequest: (request: autocannon.Request, context: { calls?: Call[]; client?: string }) => {
      if (step === 0) {
        const turn = nextTurn(target.name);
        context.calls = target.calls(turn);
        context.client = clientOf(turn);
      }
      const call = context.calls?.[step] ?? { path: "/" };
      const { path, body } = call;
      return {
        ...request,
        path,
        method: body ? "POST" : "GET",
        headers: headersOf(key, context.client ?? "", call),
        body: body && JSON.stringify(body),
      } as autocannon.Request;
    },
  }));
  const [countsBefore, rowsBefore] = [await readCounts(url), await countRows(sql)];
  const before = await processorTime(pids.concat(await newBackends(pids)));
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: requests as never,
  });
  const after = await processorTime(pids.concat(await newBackends(pids)));
  if (result.non2xx + result.errors > 0)
    throw new Error(`${target.name}: ${result.non2xx} refused, ${result.errors} unanswered`);
  const { total, sent } = result.requests;
  const counted = countsSince(countsBefore, await readCounts(url));
  expectWork(`${target.name}, calls`, counted.data, total, sent);
  const rows = await countRows(sql);
  for (const [table, each] of Object.entries(target.rows ?? {}) as [keyof RowCounts, number][]) {
    const added = (rows[table] ?? 0) - (rowsBefore[table] ?? 0);
    expectWork(
      `${target.name}, ${table}`,
      added,
      each * Math.floor((total - CONNECTIONS) / steps),
      each * sent,
    );
  }
  const whole = total / steps;
  return {
    perSecond: whole / result.duration,
    p99: result.latency.p99,
    node: (after.node - before.node) / whole,
    postgres: (after.postgres - before.postgres) / whole,
  };
}

/** The database starts a process for each connection, also later than the shop. */
async function newBackends(pids: number[]): Promise<number[]> {
  const [root = 0] = pids;
  return (await familyOf(root)).filter((pid) => !pids.includes(pid));
}

/** The floor: a target's statements straight from the database. */
export async function loadStraight(
  { sql, pids: shopPids }: Shop,
  target: Target,
  seconds: number,
): Promise<Turn> {
  // The shop has nothing to do then.
  const pids = shopPids.concat(await newBackends(shopPids));
  const before = await processorTime(pids);
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  const times: number[] = [];
  const worker = async () => {
    while (performance.now() < until) {
      const began = performance.now();
      for (const statement of target.statements(nextTurn(target.name))) await run(sql, statement);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const spent = (performance.now() - startedAt) / 1_000;
  const after = await processorTime(pids);
  return {
    perSecond: times.length / spent,
    p99: percentile(times, 0.99),
    node: Number.NaN,
    postgres: (after.postgres - before.postgres) / times.length,
  };
}

/** As the visitor that the connection is, or in a transaction as a customer. */
async function run(sql: postgres.Sql, { text, values, userId }: Statement): Promise<void> {
  if (!userId) return void (await sql.unsafe(text, values, { prepare: true }));
  const claims = JSON.stringify({ sub: userId, role: "authenticated" });
  await sql.begin((transaction) => [
    transaction`select set_config('request.jwt.claims', ${claims}, true),
      set_config('request.jwt.claim.sub', ${userId}, true), set_config('role', 'authenticated', true)`,
    transaction.unsafe(text, values, { prepare: true }),
  ]);
}
