import { fork } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Crowd } from "./crowd.ts";
import { createBrowser, newReadings, type Readings, type Shop } from "./crowd-client.ts";
import type { Flood } from "./flood-process.ts";
import { turnsOr } from "./lengths.ts";
import { milliseconds, percentile, type Section } from "./report.ts";
import { makeAccounts } from "./running-shop.ts";

const CONNECTIONS = 200;
const SIGN_INS = 100;
const ROUNDS = turnsOr(3);
const WINDOW_MS = 1_500;
/** Until the flood has used what it may use at once, or its last responses have been sent. */
const SETTLE_MS = 700;
const VISITORS = 20;
const PAUSE_MS = 200;
const CUSTOMERS = 10;
const PASSWORD = "a password for signing in";
const columns = "id,title,authors,publisher,price,stock_quantity,image_url";

const kinds = [
  "a page that doesn't exist",
  "pages that don't exist",
  "books that don't exist",
  "new pages",
  "an unknown function",
  "a wrong key",
  "matches of 500 garbled lines (95 kB)",
  "95 kB for an unknown function",
  "a cached page",
  "/healthz",
  "uploads, cut off",
  "95 kB, cut off",
  "a list of 24",
];
const signInKinds = ["wrong sign-ins from one /48", "wrong sign-ins from everywhere"];
const selected = process.env.BENCH_FLOODS?.split("|");

/** What one client's flood does to others, whatever it sends, and a flood of sign-ins to customers on new networks. */
export async function measureFloods(crowd: Crowd): Promise<Section[]> {
  preferThisProcess();
  const section: Section = {
    title: "One client's flood, and everybody else",
    about: `The shop and books of the crowd. ${VISITORS} visitors, each from an address of their own, send a request, wait for ${PAUSE_MS} ms after its response and send the next one: a page that others have opened, a list of 24, a page that nobody has opened. The flood is ${CONNECTIONS} connections of one address, from a process of its own. Each row is measured in ${ROUNDS} rounds of ${WINDOW_MS / 1_000} s without it and as long with it: p50, and its ratio to the quiet one. The shop itself counts the flood's responses, the processor time it uses, and how late its event loop is (mean and maximum; 10 ms is its clock's resolution). Budget: a ratio of 1.33.`,
    header: [
      "A flood of",
      "List of 24",
      "Cached page",
      "New page",
      "Event loop, quiet",
      "Event loop",
      "Processors, quiet and not",
      "The flood's responses a second",
    ],
    rows: [],
  };
  for (const kind of kinds.filter((each) => selected?.includes(each) ?? true)) {
    section.rows.push(await measureFlood(crowd, kind));
    console.log(section.rows.at(-1)?.join(" | "));
  }
  const signIns: Section = {
    title: "A flood of sign-ins, and customers on new networks",
    about: `${SIGN_INS} sign-ins with wrong passwords are open all the time, each to another account from another network that nobody has signed in from. ${CUSTOMERS} customers sign in beside them, one each half second, each from a new network of their own. Budget: all of them within 10 s.`,
    header: ["A flood of", "Signed in", "Refused", "p50", "Slowest", "Passwords hashed a second"],
    rows: [],
  };
  for (const kind of signInKinds.filter((each) => selected?.includes(each) ?? true)) {
    signIns.rows.push(await measureSignInFlood(crowd, kind));
    console.log(signIns.rows.at(-1)?.join(" | "));
  }
  return [section, signIns];
}

async function measureFlood({ shop }: Crowd, kind: string): Promise<string[]> {
  const flood = startFlood({ url: shop.url, key: shop.key, connections: CONNECTIONS, kind });
  const quiet: Window[] = [];
  const during: Window[] = [];
  // In alternation: whatever else the machine does then slows both down.
  for (let round = 0; round < ROUNDS; round += 1) {
    await pause(SETTLE_MS);
    quiet.push(await window(shop));
    flood.send("on");
    await pause(SETTLE_MS);
    during.push(await window(shop));
    flood.send("off");
  }
  console.log(`  ${kind}: ${JSON.stringify(await flood.stop())}`);
  const failed = during.flatMap(({ readings }) => readings.all).filter(({ status }) => status !== 200);
  if (failed.length > 0)
    console.log(`  ${failed.length} of the others' requests failed: ${JSON.stringify(failed.slice(0, 3))}`);
  const column = (name: string) => {
    const p50 = (windows: Window[]) =>
      percentile(
        windows
          .flatMap(({ readings }) => readings.all)
          .filter((reading) => reading.kind === name)
          .map(({ ms }) => ms),
        0.5,
      );
    return `${milliseconds(p50(during))} (${(p50(during) / p50(quiet)).toFixed(2)})`;
  };
  const median = (windows: Window[], pick: (window: Window) => number) => percentile(windows.map(pick), 0.5);
  const lag = (windows: Window[]) =>
    `${milliseconds(median(windows, (each) => each.shop.lagMean))}, ${milliseconds(median(windows, (each) => each.shop.lagMax))}`;
  const floods = ({ shop: { responses }, readings }: Window) =>
    (responses - readings.all.length) / readings.seconds;
  const processor = (windows: Window[]) =>
    median(windows, (each) => each.shop.processorMs / 1_000 / each.readings.seconds).toFixed(2);
  return [
    kind,
    column("list"),
    column("cached page"),
    column("new page"),
    lag(quiet),
    lag(during),
    `${processor(quiet)}, ${processor(during)}`,
    median(during, floods).toFixed(0),
  ];
}

/** The visitors' own machines wouldn't be slowed down by the flood. Only root may do this. */
function preferThisProcess(): void {
  try {
    setPriority(-10);
  } catch {
    console.log("  Not root: the flood slows this process down too.");
  }
}

type Window = { readings: Readings; shop: ShopSide };

/** What visitors and the shop see for a while. */
async function window(shop: Shop): Promise<Window> {
  const before = await readShopSide(shop);
  const readings = newReadings();
  const startedAt = performance.now();
  const until = startedAt + WINDOW_MS;
  await Promise.all(
    Array.from({ length: VISITORS }, async (_, n) => {
      const { send, close } = createBrowser(shop, `2001:db8:aaaa:${n.toString(16)}::1`, readings);
      await pause((n * PAUSE_MS) / VISITORS);
      for (let turn = n; performance.now() < until; turn += 1) {
        await send(nextCall(shop, turn));
        await pause(PAUSE_MS);
      }
      close();
    }),
  );
  const after = await readShopSide(shop);
  readings.seconds = (performance.now() - startedAt) / 1_000;
  return {
    readings,
    shop: {
      ...after,
      responses: after.responses - before.responses,
      processorMs: after.processorMs - before.processorMs,
    },
  };
}

let searches = 0;

function nextCall({ words }: Shop, turn: number) {
  if (turn % 3 === 0) return { kind: "cached page", path: `/shop?page=${1 + (turn % 20)}` };
  if (turn % 3 === 1)
    return { kind: "list", path: `/rest/v1/books?select=${columns}&order=title_key,id&limit=24` };
  searches += 1;
  const text = `${words[(searches * 7) % words.length]} ${searches}`;
  return { kind: "new page", path: `/shop?q=${encodeURIComponent(text)}` };
}

type ShopSide = { responses: number; processorMs: number; lagMean: number; lagMax: number };

/** Responses since the start; how late the event loop was since the last reading, in milliseconds. */
async function readShopSide({ url }: Shop): Promise<ShopSide> {
  const text = await (await fetch(`${url}/metrics`, { headers: { connection: "close" } })).text();
  const lines = text.split("\n");
  const value = (name: string) =>
    lines.reduce((sum, line) => sum + (line.startsWith(name) ? Number(line.split(" ").at(-1)) : 0), 0);
  return {
    responses: value("shop_http_request_duration_seconds_count"),
    processorMs: value("process_cpu_seconds_total ") * 1_000,
    lagMean: value("nodejs_eventloop_lag_mean_seconds ") * 1_000,
    lagMax: value("nodejs_eventloop_lag_max_seconds ") * 1_000,
  };
}

function startFlood(flood: Flood) {
  const child = fork(join(import.meta.dirname, "flood-process.ts"), [JSON.stringify(flood)], {
    execArgv: process.execArgv,
  });
  return {
    send: (what: "on" | "off") => child.send(what),
    async stop(): Promise<Record<string, number>> {
      if (child.exitCode !== null) throw new Error("The flood has ended by itself");
      const ended = once(child, "exit");
      const counts = once(child, "message");
      child.send("stop");
      const [message] = await Promise.race([counts, ended]);
      await ended;
      return message as Record<string, number>;
    },
  };
}

const hashedIn = async ({ url }: Shop) => {
  const text = await (await fetch(`${url}/metrics`, { headers: { connection: "close" } })).text();
  return Number(/shop_password_hashes_total\{result="finished"\} (\d+)/.exec(text)?.[1] ?? 0);
};

let rounds = 0;

async function measureSignInFlood(crowd: Crowd, kind: string): Promise<string[]> {
  const { shop, server, sql } = crowd;
  const emails = await makeAccounts(server.dataDir, sql, CUSTOMERS, PASSWORD);
  rounds += 1;
  const flood = startFlood({ url: shop.url, key: shop.key, connections: SIGN_INS, kind });
  flood.send("on");
  await pause(3_000);
  const before = await hashedIn(shop);
  const startedAt = performance.now();
  const readings = newReadings();
  await Promise.all(
    emails.map(async (email, n) => {
      await pause(n * 500);
      const network = `2a0${rounds}:${(0x1000 + n * 257).toString(16)}:5::1`;
      const { send, close } = createBrowser(shop, network, readings);
      const body = { email, password: PASSWORD };
      await send({ kind: "sign-in", path: "/auth/v1/token?grant_type=password", body });
      close();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const hashed = (await hashedIn(shop)) - before;
  console.log(`  ${kind}: ${JSON.stringify(await flood.stop())}`);
  const count = (status: number) => readings.all.filter((each) => each.status === status).length;
  const times = readings.all.map(({ ms }) => ms);
  return [
    kind,
    `${count(200)} of ${CUSTOMERS}`,
    String(count(503)),
    milliseconds(percentile(times, 0.5)),
    milliseconds(Math.max(...times)),
    (hashed / seconds).toFixed(0),
  ];
}
