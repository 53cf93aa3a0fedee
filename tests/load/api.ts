import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import autocannon from "autocannon";
import type postgres from "postgres";
import { readSecrets } from "#server/embedded/secrets.ts";
import { newDataDir, openEmbeddedShop, removeFolder } from "#tests/support/embedded-shop.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { familyOf, processorTime } from "./processes.ts";
import { hasRealBooks, importRealBooks, readRealBooks, realBooksFile } from "./real-books.ts";
import { milliseconds, percentile, type Section } from "./report.ts";
import { asOwner, connectTo, makePeople, type Person } from "./running-shop.ts";
import { searchMix } from "./search-mix.ts";

const CONNECTIONS = 10;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const TURNS = Number(process.env.BENCH_TURNS ?? 3);
const BOOKS_ORDERED = 500;
/** Enough that no customer reaches the hourly limit of orders, or orders twice in one load at 1,000 orders a second. */
const PEOPLE = Math.max(8, 2 * SECONDS) * BOOKS_ORDERED;

type Call = { path: string; body?: object; token?: string };
type Statement = { text: string; values: (string | number | null)[]; userId?: string };
type Target = {
  name: string;
  /** One visitor's or customer's calls, one after the other. */
  calls: (turn: number) => Call[];
  /** The same work as it reaches PostgreSQL. */
  statements: (turn: number) => Statement[];
  /** Runs before each load: undoes what an earlier one left unfinished when its time was up. */
  prepare?: () => Promise<void>;
};
type Turn = { perSecond: number; p99: number; node: number; postgres: number };

/**
 * The data API over HTTP, with the real books, as an owner runs it: web process, backend and database on one machine with the load.
 * The floor is the same SQL, one statement after the other on as many connections, straight from that database.
 */
export async function measureApi(): Promise<Section> {
  const section: Section = {
    title: "The data API",
    about: `10,000 real books, right after their import; ${CONNECTIONS} connections over HTTP through the whole shop, embedded PostgreSQL, policies in force; median of ${TURNS} turns of ${SECONDS} s, each beside its floor: the same SQL straight from that database with a driver. The searches are the mix of 300 words in tests/load/search-mix.ts. Milliseconds of processor time are those of user and system together, in the shop's two Node processes and in PostgreSQL; the driver's own are not in the floor.`,
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
  if (!hasRealBooks) return { ...section, about: `Not measured: ${realBooksFile} is not there.` };
  const dataDir = process.env.BENCH_DATA_DIR ?? (await newDataDir());
  if (!process.env.BENCH_DATA_DIR) await fill(dataDir);
  const shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  const sql = await connectTo(dataDir, CONNECTIONS);
  try {
    const secrets = await readSecrets(dataDir);
    if (!secrets) throw new Error("The backend has made no keys");
    const shopPids = await familyOf(shop.process.pid ?? 0);
    const targets = await makeTargets(sql, secrets.jwtSecret);
    const asked = process.env.BENCH_TARGETS?.split(",");
    for (const target of targets) {
      if (asked && !asked.some((name) => target.name.includes(name))) continue;
      const own: Turn[] = [];
      const floors: Turn[] = [];
      await target.prepare?.();
      await loadOverHttp(shop.url, secrets.publishableKey, target, shopPids, 1);
      for (let turn = 0; turn < TURNS; turn += 1) {
        await target.prepare?.();
        floors.push(await loadStraight(sql, target, shopPids));
        await target.prepare?.();
        own.push(await loadOverHttp(shop.url, secrets.publishableKey, target, shopPids, SECONDS));
      }
      section.rows.push(row(target.name, own, floors));
      console.log(section.rows.at(-1)?.join(" | "));
    }
    section.about += ` Load average ${(loadavg()[0] ?? 0).toFixed(1)} on this machine at the end, the bench's own load included.`;
    return section;
  } finally {
    await sql.end();
    await shop.stop();
    if (!process.env.BENCH_DATA_DIR) await removeFolder(dataDir);
  }
}

async function fill(dataDir: string): Promise<void> {
  const shop = await openEmbeddedShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  await importRealBooks(shop).finally(shop.stop);
}

const columns = "id,title,authors,publisher,price,stock_quantity,image_url";

async function makeTargets(sql: postgres.Sql, jwtSecret: string): Promise<Target[]> {
  const mix = searchMix(await readRealBooks());
  const search = (turn: number) => mix[turn % mix.length] ?? { _q: "" };
  const people = await makePeople(sql, jwtSecret, PEOPLE);
  await asOwner(sql, async (owner) => {
    // The first books by id; enough of each for a long load.
    await owner`alter table public.books disable trigger user`;
    await owner`update public.books set stock_quantity = 1000000
      where id in (select id from public.books order by id limit ${BOOKS_ORDERED})`;
    await owner`alter table public.books enable trigger user`;
    await owner`select private.count_tallies()`;
  });
  const books = await sql<
    { id: string; price: string }[]
  >`select id, price from public.books order by id limit ${BOOKS_ORDERED}`;
  const person = (turn: number) => people[turn % PEOPLE] as Person;
  const book = (turn: number) => books[turn % BOOKS_ORDERED] as { id: string; price: string };
  const args = (turn: number) => {
    const { _q, _publisher, _max_price } = search(turn);
    return [_q, _publisher ?? null, _max_price ?? null];
  };
  const named = "_q => $1::text, _publisher => $2::text, _max_price => $3::text::numeric";
  const orderCall = (turn: number): Call => {
    const { id, token } = person(turn);
    const total_amount = Number(book(turn).price);
    return {
      path: "/rest/v1/orders",
      body: { id: randomUUID(), user_id: id, total_amount, status: "pending", shipping_address: "Accra" },
      token,
    };
  };
  const orderStatement = (turn: number): Statement => ({
    text: "insert into public.orders (id, user_id, total_amount, status, shipping_address) values ($1::uuid, $2::uuid, $3::text::numeric, 'pending', 'Accra')",
    values: [randomUUID(), person(turn).id, book(turn).price],
    userId: person(turn).id,
  });
  /** Fills each cart with the book that its customer orders: always the same one, because PEOPLE is a multiple of BOOKS_ORDERED. */
  async function fillCarts(owner: postgres.TransactionSql): Promise<void> {
    const [ids, ordered] = [people.map(({ id }) => id), people.map((_, turn) => book(turn).id)];
    await owner`delete from public.cart_items`;
    await owner`insert into public.cart_items (user_id, book_id, quantity)
      select user_id, book_id, 1 from unnest(${ids}::uuid[], ${ordered}::uuid[]) as of (user_id, book_id)`;
    await owner`analyze public.cart_items`;
  }
  const rows = (from: string, what = "*") =>
    `select coalesce(json_agg(t), '[]')::text from (select ${what} from ${from}) t`;
  return [
    {
      name: "list of 24 books",
      calls: () => [{ path: `/rest/v1/books?select=${columns}&order=title_key,id&limit=24` }],
      statements: () => [{ text: rows("public.books order by title_key, id limit 24", columns), values: [] }],
    },
    {
      name: "search_books, the mix",
      calls: (turn) => [
        { path: `/rest/v1/rpc/search_books?select=${columns}`, body: { ...search(turn), _page_size: 24 } },
      ],
      statements: (turn) => [
        { text: rows(`public.search_books(${named}, _page_size => 24)`, columns), values: args(turn) },
      ],
    },
    {
      name: "count_books, the mix",
      calls: (turn) => [{ path: "/rest/v1/rpc/count_books", body: search(turn) }],
      statements: (turn) => [{ text: `select public.count_books(${named})`, values: args(turn) }],
    },
    {
      name: "list_book_facets, the mix",
      calls: (turn) => [{ path: "/rest/v1/rpc/list_book_facets", body: { _q: search(turn)._q } }],
      statements: (turn) => [
        { text: rows("public.list_book_facets(_q => $1::text)"), values: [search(turn)._q] },
      ],
    },
    {
      name: "add_to_cart and an order, in pairs",
      calls: (turn) => [
        {
          path: "/rest/v1/rpc/add_to_cart",
          body: { _book_id: book(turn).id, _quantity: 1 },
          token: person(turn).token,
        },
        orderCall(turn),
      ],
      statements: (turn) => [
        {
          text: "select to_json(t)::text from public.add_to_cart($1::uuid, 1) t",
          values: [book(turn).id],
          userId: person(turn).id,
        },
        orderStatement(turn),
      ],
      // A copy that nobody ordered would be part of that customer's next order, whose total then doesn't fit.
      prepare: () => asOwner(sql, (owner) => owner`delete from public.cart_items`),
    },
    {
      name: "an order from a filled cart",
      calls: (turn) => [orderCall(turn)],
      statements: (turn) => [orderStatement(turn)],
      prepare: () => asOwner(sql, fillCarts),
    },
  ];
}

/** Counts on across turns, so that no customer orders too often. */
const turns = new Map<string, number>();
function nextTurn(name: string): number {
  const turn = turns.get(name) ?? 0;
  turns.set(name, turn + 1);
  return turn;
}

async function loadOverHttp(
  url: string,
  key: string,
  target: Target,
  pids: number[],
  seconds: number,
): Promise<Turn> {
  const steps = target.calls(0).length;
  const requests = Array.from({ length: steps }, (_, step) => ({
    setupRequest: (request: autocannon.Request, context: { calls?: Call[]; place?: string }) => {
      if (step === 0) {
        const turn = nextTurn(target.name);
        context.calls = target.calls(turn);
        // Each visitor from a place of their own.
        context.place = `2001:db8:${(turn % 60_000).toString(16)}::1`;
      }
      const { path = "/", body, token } = context.calls?.[step] ?? {};
      return {
        ...request,
        path,
        method: body ? "POST" : "GET",
        headers: {
          apikey: key,
          "x-forwarded-for": context.place,
          ...(body ? { "content-type": "application/json" } : {}),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: body && JSON.stringify(body),
      } as autocannon.Request;
    },
  }));
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
  const whole = result.requests.total / steps;
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

async function loadStraight(sql: postgres.Sql, target: Target, shopPids: number[]): Promise<Turn> {
  // The shop has nothing to do then.
  const pids = shopPids.concat(await newBackends(shopPids));
  const before = await processorTime(pids);
  const startedAt = performance.now();
  const until = startedAt + SECONDS * 1_000;
  const times: number[] = [];
  const worker = async () => {
    while (performance.now() < until) {
      const began = performance.now();
      for (const statement of target.statements(nextTurn(target.name))) await run(sql, statement);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await processorTime(pids);
  return {
    perSecond: times.length / seconds,
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

function row(name: string, own: Turn[], floors: Turn[]): string[] {
  const median = (all: number[]) => percentile(all, 0.5);
  const rates = own.map(({ perSecond }) => perSecond);
  const ratios = own.map(({ perSecond }, turn) => perSecond / (floors[turn]?.perSecond ?? Number.NaN));
  return [
    name,
    `${median(rates).toFixed(0)} (${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)})`,
    median(ratios).toFixed(2),
    milliseconds(median(own.map(({ p99 }) => p99))),
    median(own.map(({ node }) => node)).toFixed(2),
    median(own.map((turn) => turn.postgres)).toFixed(2),
    median(floors.map(({ perSecond }) => perSecond)).toFixed(0),
    median(floors.map((turn) => turn.postgres)).toFixed(2),
  ];
}
