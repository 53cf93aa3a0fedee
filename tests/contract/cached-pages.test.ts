import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { type ShopServer, START_MS, startShop } from "#tests/support/shop-server.ts";

/* Kept pages of a whole shop: they go out before anything else is looked up, and must not differ for it. */

const METRICS_KEY = "a-key-of-at-least-16";

let shop: ShopServer;
let database: Awaited<ReturnType<typeof newDatabase>>;
let sql: postgres.Sql;

beforeAll(async () => {
  database = await newDatabase();
  shop = await startShop({
    DATABASE_URL: database.url,
    SHOP_DEMO: "0",
    SITE_URL: "https://shop.example",
    METRICS_KEY,
  });
  sql = postgres(database.url, { max: 1, onnotice: () => {} });
  await sql`insert into public.books (title, publisher, price, stock_quantity) values ('Plants', 'Collins', 10, 30)`;
}, START_MS);
afterAll(async () => {
  await sql?.end();
  await shop?.stop();
  await database?.drop();
});

type Answer = { status: number | undefined; headers: Record<string, unknown>; body: Buffer };

async function ask(path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  const sent = request(new URL(path, shop.url), { headers }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const { date, "x-request-id": id, ...rest } = response.headers;
  expect([Date.parse(date ?? ""), id]).toEqual([expect.any(Number), expect.stringMatching(/^[0-9a-f]{12}$/)]);
  return { status: response.statusCode, headers: rest, body: await buffer(response) };
}

async function misses(): Promise<number> {
  const { body } = await ask("/metrics", { authorization: `Bearer ${METRICS_KEY}` });
  const count = /shop_page_cache_total\{result="miss"\} (\d+)/.exec(body.toString())?.[1];
  if (!count) throw new Error("The figures name no rendered page");
  return Number(count);
}

test.each(["", "gzip", "br"])(
  "The second visitor gets what the first got, encoded as '%s'",
  async (encoding) => {
    const accept: Record<string, string> = encoding ? { "accept-encoding": encoding } : {};
    const path = `/shop?q=${encoding || "plain"}`;
    const first = await ask(path, accept);
    const before = await misses();
    const second = await ask(path, accept);
    expect(second).toEqual(first);
    expect([first.status, await misses()]).toEqual([200, before]);
    expect(first.headers).toMatchObject({
      "x-frame-options": "DENY",
      "strict-transport-security": expect.stringContaining("max-age="),
      "content-security-policy": expect.stringContaining("default-src 'self'"),
    });
    const tag = String(first.headers.etag);
    const unchanged = [
      await ask(path, { ...accept, "if-none-match": tag }),
      await ask(path, { ...accept, "if-none-match": tag }),
    ];
    expect(unchanged.map(({ status, body }) => [status, body.length])).toEqual(Array(2).fill([304, 0]));
  },
);

test("A request with a body is read to its end, and the connection serves the next one", async () => {
  await ask("/about");
  expect((await ask("/about", { "content-length": "4" }, "body")).status).toBe(200);
  expect((await ask("/about")).status).toBe(200);
});

test("Five hundred concurrent visitors after a change cost one rendering", { tags: "long" }, async () => {
  await ask("/shop");
  const before = await misses();
  await sql`update public.books set price = 11`;
  // Past the second in which everybody still gets the page before.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const pages = await Promise.all(Array.from({ length: 500 }, () => ask("/shop")));
  expect(pages.map(({ status }) => status)).toEqual(Array(500).fill(200));
  expect(await misses()).toBeLessThanOrEqual(before + 1);
  // On a busy machine the new state may be read late, or just before the change was there to see.
  await eventually(async () => expect((await ask("/shop")).body.toString()).toContain("GH₵11.00"), {
    timeout: 45_000,
    interval: 50,
  });
});

test("An order that leaves plenty of copies keeps the cached pages, one that leaves few drops them", async () => {
  await ask("/shop");
  const before = await misses();
  await sql`update public.books set stock_quantity = 29`;
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await ask("/shop");
  expect(await misses()).toBe(before);
  await sql`update public.books set stock_quantity = 9`;
  await eventually(
    async () => expect((await ask("/shop")).body.toString()).toMatch(/9<!-- --> left|9 left/),
    {
      timeout: 45_000,
      interval: 20,
    },
  );
});
