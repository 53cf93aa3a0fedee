import { loadavg } from "node:os";
import type postgres from "postgres";
import { issuerOf } from "#server/api/caller.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { newDataDir, openEmbeddedShop, removeFolder } from "#tests/support/embedded-shop.ts";
import { type ShopServer, startShop } from "#tests/support/shop-server.ts";
import {
  createBrowser,
  newReadings,
  type Readings,
  refusalsIn,
  type Shop,
  shopAround,
  visit,
} from "./crowd-client.ts";
import { measureJourney } from "./crowd-journey.ts";
import { importSchoolBooks } from "./import-school-books.ts";
import { isQuick, secondsOr } from "./lengths.ts";
import { atMost, milliseconds, type Outcome, percentile, type Section } from "./report.ts";
import { asOwner, connectTo, makePeople, type Person } from "./running-shop.ts";
import { schoolBooks } from "./school-books.ts";

const SECONDS = secondsOr(6);
const CROWDS = isQuick ? [10] : [10, 40, 80, 200, 500];
const SCHOOL = 120;
const GREEDY = 200;
/** Enough that no customer reaches the hourly limit of orders. */
const PEOPLE = 4_000;
const BOOKS_ORDERED = 500;

type Dear = { path: string; body: (n: number) => object };

/** The most expensive requests that visitors may send, each with different arguments. */
const dear: Record<string, Dear> = {
  near_books: {
    path: "/rest/v1/rpc/near_books",
    body: (n) => ({ _search: { q: `histroy teh gret matehmatics advnture ${n}` } }),
  },
  catalogue_page: {
    path: "/rest/v1/rpc/catalogue_page",
    body: (n) => ({
      _search: { q: `e ${n % 10}` },
      _columns: ["id", "title"],
      _with_total: true,
      _with_facets: true,
    }),
  },
};

export type Crowd = {
  shop: Shop;
  server: ShopServer;
  sql: postgres.Sql;
  nextPerson: () => Person;
  bookOf: (n: number) => Shop["books"][number];
};

/** How many customers the shop serves at once, whether it refuses any, and what a greedy client does to the others. */
export async function measureCrowd(): Promise<Section[]> {
  const section: Section = {
    title: "A crowd",
    about: `10,000 school books, embedded PostgreSQL, the whole shop over HTTP; half of the crowd are customers, who look around, fill the cart and order, half visitors, who look around, without a pause, for ${SECONDS} s: a page that others have opened, a list of 24, a search, suggestions, every fifth time a new page, each for a text that nobody has searched for. Everyone has a connection and an address of their own, but for a school's ${SCHOOL}, who share one address. A greedy client has ${GREEDY} connections. Refused are the crowd's requests; orders and refusals agree with the shop's database and metrics, or the bench fails, as it does when anyone is refused in less than 10 s. The load comes from the same machine.`,
    header: ["", "Requests a second", "p50", "p99", "Slowest", "Orders a second", "An order, p99", "Refused"],
    rows: [],
  };
  const dataDir = process.env.BENCH_DATA_DIR ?? (await newDataDir());
  if (!process.env.BENCH_DATA_DIR) await fill(dataDir);
  const server = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  const sql = await connectTo(dataDir, 2);
  try {
    const crowd = await gather(server, sql);
    // Warms up pages and connections before measuring.
    await load(crowd, 10, 2);
    const outcomes: Outcome[] = [];
    const measure = async (name: string, run: () => Promise<Readings>) => {
      const readings = await checked(crowd, run);
      section.rows.push(row(name, readings));
      console.log(section.rows.at(-1)?.join(" | "));
      return refusalsIn(readings).all;
    };
    const measureAll = async (name: string, run: () => Promise<Readings>) =>
      outcomes.push(atMost(`Refused requests of ${name}`, await measure(name, run), 0));
    for (const size of CROWDS) await measureAll(`${size} customers and visitors`, () => load(crowd, size));
    await measureAll(`${SCHOOL} behind one address`, () => load(crowd, SCHOOL, SECONDS, "192.0.2.1"));
    await measure(`${SCHOOL} behind one address, beside 200 others`, async () => {
      const [school, others] = await Promise.all([
        load(crowd, SCHOOL, SECONDS, "192.0.2.1"),
        load(crowd, 200),
      ]);
      const refused = refusalsIn(others);
      if (refused.early > 0) fail([`${refused.early} of the others refused before 10 s`]);
      return { ...school, beside: { orders: others.ordersConfirmed, refused: refused.all } };
    });
    for (const [name, { path, body }] of Object.entries(dear))
      await measure(`40, beside ${GREEDY} connections of one client for ${name}`, () =>
        besideGreedy(crowd, path, body, () => load(crowd, 40)),
      );
    section.about += ` Load average ${(loadavg()[0] ?? 0).toFixed(1)} at the end, the bench's own included.`;
    return [{ ...section, outcomes }, await measureJourney(crowd, (size) => startLoad(crowd, size))];
  } finally {
    await sql.end();
    await server.stop();
    if (!process.env.BENCH_DATA_DIR) await removeFolder(dataDir);
  }
}

async function fill(dataDir: string): Promise<void> {
  const shop = await openEmbeddedShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  await importSchoolBooks(shop).finally(shop.stop);
}

async function gather(server: ShopServer, sql: postgres.Sql): Promise<Crowd> {
  const secrets = await readSecrets(server.dataDir);
  if (!secrets) throw new Error("The backend has made no keys");
  const people = await makePeople(sql, { ...secrets, issuer: issuerOf(server.url) }, PEOPLE);
  await asOwner(sql, async (owner) => {
    await owner`alter table public.books disable trigger user`;
    await owner`update public.books set stock_quantity = 1000000
      where id in (select id from public.books order by id limit ${BOOKS_ORDERED})`;
    await owner`alter table public.books enable trigger user`;
    await owner`select private.count_tallies(), private.count_sales()`;
  });
  const books = await sql<
    Shop["books"]
  >`select id, price from public.books order by id limit ${BOOKS_ORDERED}`;
  const words = schoolBooks().flatMap(({ title }) => title.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
  let turn = 0;
  return {
    server,
    sql,
    shop: { url: server.url, key: secrets.publishableKey, words, books },
    nextPerson: () => people[turn++ % PEOPLE] as Person,
    bookOf: (n) => books[n % BOOKS_ORDERED] as Shop["books"][number],
  };
}

/** Starts a crowd that never pauses; `stop` waits until the last one has finished. */
export function startLoad({ shop, nextPerson, bookOf }: Crowd, size: number, sharedAddress?: string) {
  const readings = newReadings();
  let going = true;
  const all = Array.from({ length: size }, async (_, n) => {
    const network = sharedAddress ?? `2001:db8:${n.toString(16)}:${size.toString(16)}::1`;
    const { send, close } = createBrowser(shop, network, readings);
    for (let journey = 0; going; journey += 1) {
      if (n % 2) await visit(shop, send);
      else await shopAround(shop, nextPerson(), bookOf(n * 31 + journey), send, readings);
    }
    close();
  });
  return {
    readings,
    stop: async () => {
      going = false;
      await Promise.all(all);
    },
  };
}

async function load(
  crowd: Crowd,
  size: number,
  seconds = SECONDS,
  sharedAddress?: string,
): Promise<Readings> {
  const { readings, stop } = startLoad(crowd, size, sharedAddress);
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  await stop();
  readings.seconds = (performance.now() - startedAt) / 1_000;
  return readings;
}

async function besideGreedy(
  { shop }: Crowd,
  path: string,
  body: (n: number) => object,
  work: () => Promise<Readings>,
): Promise<Readings> {
  const greedy = newReadings();
  let going = true;
  let sent = 0;
  const browsers = Array.from({ length: GREEDY }, () => createBrowser(shop, "203.0.113.9", greedy));
  const all = browsers.map(async ({ send }) => {
    while (going) {
      sent += 1;
      await send({ kind: "greedy", path, body: body(sent) });
    }
  });
  const readings = await work();
  going = false;
  await Promise.all(all);
  for (const { close } of browsers) close();
  readings.beside.refused = refusalsIn(greedy).all;
  console.log(`The greedy client's requests: ${JSON.stringify(statusesOf(greedy))}`);
  return readings;
}

const statusesOf = ({ all }: Readings) =>
  all.reduce<Record<number, number>>((counts, { status }) => {
    counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }, {});

type ShopCounts = { orders: number; ordersInMetrics: number; refused: number };

/** The shop's own counts since startup. */
async function shopCounts({ shop, sql }: Crowd): Promise<ShopCounts> {
  const text = await (await fetch(`${shop.url}/metrics`)).text();
  const sum = (name: RegExp) =>
    text
      .split("\n")
      .reduce((total, line) => total + (name.test(line) ? Number(line.split(" ").at(-1)) : 0), 0);
  let orders = 0;
  await asOwner(sql, async (owner) => {
    const [row] = await owner<{ count: string }[]>`select count(*) from public.orders`;
    orders = Number(row?.count);
  });
  return {
    orders,
    ordersInMetrics: sum(/^shop_orders_placed_total/),
    refused: sum(/^shop_http_request_duration_seconds_count\{.*status="503"/),
  };
}

/** @throws Error when the shop's counts of orders or refusals differ from its customers', or a request was refused too early */
async function checked(crowd: Crowd, run: () => Promise<Readings>): Promise<Readings> {
  const before = await shopCounts(crowd);
  const readings = await run();
  const after = await shopCounts(crowd);
  const { early, all } = refusalsIn(readings);
  const problems: string[] = [];
  const compare = (what: string, seen: number, counted: number) => {
    if (seen !== counted) problems.push(`${what}: ${seen} seen by customers, ${counted} counted by the shop`);
  };
  const orders = readings.ordersConfirmed + readings.beside.orders;
  compare("orders in the database", orders, after.orders - before.orders);
  compare("orders in the metrics", orders, after.ordersInMetrics - before.ordersInMetrics);
  compare("refusals", all + readings.beside.refused, after.refused - before.refused);
  const failed = readings.all.filter(({ status }) => ![200, 201, 503].includes(status));
  if (failed.length > 0) problems.push(`${failed.length} failed: ${JSON.stringify(failed.slice(0, 3))}`);
  if (early > 0) problems.push(`${early} refused before 10 s`);
  if (problems.length > 0) fail(problems);
  return readings;
}

function fail(problems: string[]): void {
  throw new Error(problems.join("; "));
}

function row(name: string, { all, seconds, ordersConfirmed }: Readings): string[] {
  const times = all.map(({ ms }) => ms);
  const orders = all.filter(({ kind, status }) => kind === "order" && status === 201).map(({ ms }) => ms);
  const refused = refusalsIn({ all }).all;
  return [
    name,
    (all.length / seconds).toFixed(0),
    milliseconds(percentile(times, 0.5)),
    milliseconds(percentile(times, 0.99)),
    milliseconds(Math.max(...times)),
    (ordersConfirmed / seconds).toFixed(0),
    milliseconds(percentile(orders, 0.99)),
    refused === 0 ? "0" : `${refused} (${((refused / all.length) * 100).toFixed(0)} %)`,
  ];
}
