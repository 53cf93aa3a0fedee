import { loadavg } from "node:os";
import { isDeepStrictEqual } from "node:util";
import autocannon from "autocannon";
import type postgres from "postgres";
import { issuerOf } from "#server/api/caller.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { newDataDir, openEmbeddedShop, removeFolder } from "#tests/support/embedded-shop.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { familyOf } from "#tests/torture/processes.ts";
import {
  type Call,
  countedTables,
  makeTargets,
  type RowCounts,
  type Statement,
  type Target,
} from "./api-targets.ts";
import { importSchoolBooks } from "./import-school-books.ts";
import { secondsOr, turnsOr } from "./lengths.ts";
import { processorTime } from "./processes.ts";
import { atLeast, inHundredths, milliseconds, type Outcome, percentile, type Section } from "./report.ts";
import { asOwner, connectTo } from "./running-shop.ts";
import { countsSince, expectWork, readCounts } from "./shop-counts.ts";

const CONNECTIONS = 10;
const SECONDS = secondsOr(4);
/** Under load, Node compiles what a call runs within some seconds; in a shop that runs all day it has done so. */
const WARM_UP_SECONDS = 2 * SECONDS;
const TURNS = turnsOr(3);
/** How many calls' responses are compared with what the floor's statement returns. */
const COMPARED = 20;

type Turn = { perSecond: number; p99: number; node: number; postgres: number };
type Shop = { url: string; key: string; pids: number[]; sql: postgres.Sql };

/**
 * The data API over HTTP, with 10,000 books, as an owner runs it: shop and database on one machine with the load.
 * The floor is the same SQL, one statement after the other on as many connections, straight from that database.
 */
export async function measureApi(): Promise<Section> {
  const section: Section = {
    title: "The data API",
    about: `10,000 school books, right after their import; ${CONNECTIONS} connections over HTTP through the whole shop, embedded PostgreSQL, policies in force; median of ${TURNS} turns of ${SECONDS} s, each beside its floor: the same SQL straight from that database with a driver. Before their turns both have ${WARM_UP_SECONDS} s of the same load. The searches are the mix of 300 words in tests/load/search-mix.ts. Reads return the same rows as their floor, and the shop's and the database's counts of calls, orders, lines, stock movements and emails match the load, or the measurement fails. Milliseconds of processor time are those of user and system together, in the shop's Node processes and in PostgreSQL; the driver's own are not in the floor.`,
    header: [
      "",
      "A second",
      "Ratio to floor",
      "p99",
      "Node, ms each",
      "PostgreSQL, ms each",
      "Floor a second",
      "Floor's PostgreSQL, ms each",
    ],
    rows: [],
  };
  const outcomes: Outcome[] = [];
  const dataDir = process.env.BENCH_DATA_DIR ?? (await newDataDir());
  if (!process.env.BENCH_DATA_DIR) await fill(dataDir);
  const shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  const sql = await connectTo(dataDir, CONNECTIONS);
  try {
    const secrets = await readSecrets(dataDir);
    if (!secrets) throw new Error("The backend has made no keys");
    const pids = await familyOf(shop.process.pid ?? 0);
    const running: Shop = { url: shop.url, key: secrets.publishableKey, pids, sql };
    const targets = await makeTargets(sql, { ...secrets, issuer: issuerOf(shop.url) }, WARM_UP_SECONDS);
    const selected = process.env.BENCH_TARGETS?.split(",");
    for (const target of targets) {
      if (selected && !selected.some((name) => target.name.includes(name))) continue;
      const own: Turn[] = [];
      const floors: Turn[] = [];
      if (!target.rows) await compareWithFloor(running, target);
      for (const load of [loadStraight, loadOverHttp]) {
        await target.prepare?.();
        await load(running, target, WARM_UP_SECONDS);
      }
      for (let turn = 0; turn < TURNS; turn += 1) {
        await target.prepare?.();
        floors.push(await loadStraight(running, target, SECONDS));
        await target.prepare?.();
        own.push(await loadOverHttp(running, target, SECONDS));
      }
      section.rows.push(row(target.name, own, floors));
      const { name, leastRatio } = target;
      if (leastRatio)
        outcomes.push(
          atLeast(
            `Rate of ${name}, as a share of the same SQL's`,
            ratio(own, floors),
            leastRatio,
            inHundredths,
          ),
        );
      console.log(section.rows.at(-1)?.join(" | "));
    }
    section.about += ` Load average ${(loadavg()[0] ?? 0).toFixed(1)} on this machine at the end, the bench's own load included.`;
    return { ...section, outcomes };
  } finally {
    await sql.end();
    await shop.stop();
    if (!process.env.BENCH_DATA_DIR) await removeFolder(dataDir);
  }
}

async function fill(dataDir: string): Promise<void> {
  const shop = await openEmbeddedShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  await importSchoolBooks(shop).finally(shop.stop);
}

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
async function compareWithFloor({ url, key, sql }: Shop, target: Target): Promise<void> {
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

async function loadOverHttp({ url, key, pids, sql }: Shop, target: Target, seconds: number): Promise<Turn> {
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

async function loadStraight({ sql, pids: shopPids }: Shop, target: Target, seconds: number): Promise<Turn> {
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

/** The median of each turn's rate as a share of its floor's. */
const ratio = (own: Turn[], floors: Turn[]) =>
  percentile(
    own.map(({ perSecond }, turn) => perSecond / (floors[turn]?.perSecond ?? Number.NaN)),
    0.5,
  );

function row(name: string, own: Turn[], floors: Turn[]): string[] {
  const median = (all: number[]) => percentile(all, 0.5);
  const rates = own.map(({ perSecond }) => perSecond);
  return [
    name,
    `${median(rates).toFixed(0)} (${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)})`,
    inHundredths(ratio(own, floors)),
    milliseconds(median(own.map(({ p99 }) => p99))),
    median(own.map(({ node }) => node)).toFixed(2),
    median(own.map((turn) => turn.postgres)).toFixed(2),
    median(floors.map(({ perSecond }) => perSecond)).toFixed(0),
    median(floors.map((turn) => turn.postgres)).toFixed(2),
  ];
}
