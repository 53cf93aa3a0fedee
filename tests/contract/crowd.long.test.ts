import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { issuerOf } from "#server/api/caller.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { asOwner, connectTo, makePeople } from "#tests/load/running-shop.ts";
import { type OwnApi, openOwnApi, unhurried } from "#tests/support/own-api.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { ADMIN, type ShopServer, START_MS } from "#tests/support/shop-server.ts";

/*
 * Very many concurrent requests through the backend's entry point, or the whole shop: all wait and are served, none is
 * refused.
 */

const CUSTOMERS = 120;
const OPEN_REQUESTS = 200;

let api: OwnApi;
let book = { id: "", price: 0 };
beforeAll(async () => {
  api = await openOwnApi("", unhurried);
  await api.fillShelf(2_000, 20);
  await api.sql.query("update public.books set stock_quantity = 100000 where title = 'Book 7'");
  const [found] = await api.sql.query<typeof book>(
    "select id, price::float8 as price from public.books where title = 'Book 7'",
  );
  if (found) book = found;
});
afterAll(() => api?.close());

const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const newPeople = (count: number) => Promise.all(times(count, () => api.newPerson()));

type Call = [path: string, call?: Parameters<OwnApi["ask"]>[1]];

const list = (n: number): Call => [
  "/rest/v1/books?select=id,title,price&order=title_key,id&limit=24",
  { ip: `10.0.${n >> 8}.${n % 256}` },
];
const search = (n: number, ip = `10.1.${n >> 8}.${n % 256}`): Call => [
  "/rest/v1/rpc/search_books?select=id,title",
  { ip, body: { _search: { q: `book ${n}`, page_size: 24 } } },
];

/** The statuses of calls that are all sent at once, each with its number. */
async function statusesOf(calls: Call[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  await Promise.all(
    calls.map(async ([path, call]) => {
      const response = await api.ask(path, call);
      await response.arrayBuffer();
      counts[response.status] = (counts[response.status] ?? 0) + 1;
    }),
  );
  return counts;
}

/** Fills a customer's cart and places an order, as one request after another. */
async function order(as: string): Promise<number[]> {
  const cart = await api.ask("/rest/v1/rpc/add_to_cart", { as, body: { _book_id: book.id, _quantity: 1 } });
  const placed = await api.ask("/rest/v1/orders", {
    as,
    body: {
      id: randomUUID(),
      user_id: as,
      status: "pending",
      total_amount: book.price,
      shipping_address: "Accra",
    },
  });
  return [cart.status, placed.status];
}

const ordersPlaced = async () =>
  Number((await api.sql.query<{ count: string }>("select count(*) from public.orders"))[0]?.count);

test("500 visitors at once, 120 of them behind one address, are all served", async () => {
  const calls = times(380, (n) => (n % 2 ? list(n) : search(n))).concat(
    times(120, (n) => search(n, "192.0.2.1")),
  );
  expect(await statusesOf(calls)).toEqual({ 200: 500 });
});

test("120 customers who fill their carts and order at the same moment each get one order", async () => {
  const people = await newPeople(CUSTOMERS);
  const before = await ordersPlaced();
  const statuses = (await Promise.all(people.map(order))).flat();
  expect(statuses.filter((status) => ![200, 201].includes(status))).toEqual([]);
  expect((await ordersPlaced()) - before).toBe(CUSTOMERS);
});

const columns = ["id", "title", "description"];
test.each<[string, Call]>([
  ["near_books", ["/rest/v1/rpc/near_books", { body: { _search: { q: "forcse plnats bok" } } }]],
  [
    "catalogue_page",
    [
      "/rest/v1/rpc/catalogue_page",
      { body: { _search: { q: "o" }, _columns: columns, _with_total: true, _with_facets: true } },
    ],
  ],
])("A visitor with 200 open requests of %s makes no one else's fail", async (_, [path, call]) => {
  const leaving = new AbortController();
  const greedy = times(OPEN_REQUESTS, async () => {
    while (!leaving.signal.aborted)
      await (await api.ask(path, { ...call, ip: "203.0.113.9", signal: leaving.signal })).arrayBuffer();
  });
  onTestFinished(async () => {
    leaving.abort();
    await Promise.all(greedy);
  });
  const before = await ordersPlaced();
  const people = await newPeople(20);
  const [visitors, orders] = await Promise.all([
    statusesOf(times(60, (n) => (n % 2 ? list(n) : search(n)))),
    Promise.all(people.map(order)),
  ]);
  expect(visitors).toEqual({ 200: 60 });
  expect(orders).toEqual(times(20, () => [200, 201]));
  expect((await ordersPlaced()) - before).toBe(20);
});

test("200 concurrent first views of an invoice all get the same number", async () => {
  const customer = await api.newPerson();
  await order(customer);
  const [placed] = await api.sql.query<{ id: string }>(
    "select id from public.orders where user_id = $1::text::uuid",
    [customer],
  );
  const answers = await Promise.all(
    times(200, async () => {
      const response = await api.ask("/rest/v1/rpc/issue_invoice", {
        as: customer,
        body: { _order_id: placed?.id },
      });
      return JSON.stringify([response.status, await response.json()]);
    }),
  );
  expect([...new Set(answers)]).toEqual([expect.stringMatching(/^\[200,\[\{"reference":"INV\d{4}-\d{4}"/)]);
});

describe("A shop over HTTP", () => {
  let shop: ShopServer;
  let secrets: NonNullable<Awaited<ReturnType<typeof readSecrets>>>;
  beforeAll(async () => {
    shop = await startPreparedShop("demo");
    const found = await readSecrets(shop.dataDir);
    if (!found) throw new Error("The shop has made no keys");
    secrets = found;
  }, START_MS);
  afterAll(() => shop?.stop());

  const post = (
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ) =>
    fetch(shop.url + path, {
      method: "POST",
      signal,
      headers: { apikey: secrets.publishableKey, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  test("60 pupils behind one address who type different words at once all get suggestions", async () => {
    const words = ["maths", "english", "science", "reading", "year", "primary"];
    const answers = await Promise.all(
      times(60, async (n) => {
        const typed = `${words[n % words.length]} ${1 + Math.floor(n / words.length)}`;
        const response = await fetch(`${shop.url}/suggestions?q=${encodeURIComponent(typed)}`, {
          headers: { "x-forwarded-for": "192.0.2.1" },
        });
        const text = await response.text();
        return [typed, response.status, Array.isArray(response.ok && JSON.parse(text))];
      }),
    );
    expect(answers.filter(([, status, isList]) => status !== 200 || !isList)).toEqual([]);
    expect(new Set(answers.map(([typed]) => typed)).size).toBe(60);
  });

  test("While the database works on bulk checks of six customers, however long that takes, another signs in", async () => {
    const sql = await connectTo(shop.dataDir, 2);
    onTestFinished(() => sql.end());
    const keys = { jwtSecret: secrets.jwtSecret, issuer: issuerOf(shop.url) };
    const people = await makePeople(sql, keys, 6);
    const leaving = new AbortController();
    let checks: Promise<unknown>[] = [];
    await asOwner(sql, async (owner) => {
      // Checks wait for the books, signing in does not need them.
      await owner`lock table public.books in access exclusive mode`;
      checks = people.flatMap(({ token }, person) =>
        times(15, () =>
          post(
            "/rest/v1/rpc/match_book_lines?select=line,matches",
            { _lines: ["Plants and forces"] },
            { authorization: `Bearer ${token}`, "x-forwarded-for": `198.51.100.${person}` },
            leaving.signal,
          ).catch(() => {}),
        ),
      );
      const waiting = () =>
        sql`select from pg_locks where relation = 'public.books'::regclass and not granted`;
      await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBeGreaterThan(2);
      const signedIn = await post("/auth/v1/token?grant_type=password", ADMIN, {
        "x-forwarded-for": "192.0.2.2",
      });
      expect(signedIn.status).toBe(200);
      expect((await waiting()).length).toBeGreaterThan(0);
    });
    leaving.abort();
    await Promise.all(checks);
  });
});
