import { once } from "node:events";
import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placeOrder } from "#tests/support/factories.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { type ShopServer, START_MS, startShop } from "#tests/support/shop-server.ts";
import { chanceFrom } from "#tests/torture/random.ts";
import { newLedger, newShopper, publishableKey, type Shopper } from "#tests/torture/shoppers.ts";

/* The whole shop, with one visitor who sends very many searches at the same time, each for something else. */

const AT_ONCE = 50;
const SEARCHER = "203.0.113.9";

describe("Expensive pages of one visitor", () => {
  let shop: ShopServer;
  let database: Awaited<ReturnType<typeof newDatabase>>;
  let shopper: Shopper;
  let book: { id: string; price: number };
  const agent = new Agent({ keepAlive: true });

  beforeAll(async () => {
    database = await newDatabase();
    shop = await startShop({ DATABASE_URL: database.url, SHOP_DEMO: "0" });
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    // The longest descriptions that there can be.
    await sql.unsafe(`insert into public.books (title, publisher, price, stock_quantity, description)
      select 'Book ' || n, 'Publisher ' || n % 10, 10, 100, repeat('plants and forces ' || n || ' ', 400)
        from generate_series(1, 3000) as n`);
    await sql.unsafe("analyze public.books");
    await sql.end();
    const key = await publishableKey(shop);
    const found = await newShopper(shop, key, chanceFrom(1), newLedger());
    if (!found) throw new Error("The customer cannot sign up");
    shopper = found;
    const { data } = await shopper.client.from("books").select("id, price").limit(1).single().throwOnError();
    book = data;
  }, START_MS * 2);
  afterAll(async () => {
    agent.destroy();
    await shop?.stop();
    await database?.drop();
  });

  async function page(path: string, ip: string, signal?: AbortSignal) {
    const asked = get(new URL(path, shop.url), { agent, headers: { "x-forwarded-for": ip }, signal });
    const [response] = await once(asked, "response");
    return { status: response.statusCode as number, html: await text(response) };
  }

  it("expensive pages delay neither other visitors nor customers, and are served, or refused with the shop's message", async () => {
    const leaving = new AbortController();
    const answers: { status: number; html: string }[] = [];
    let searches = 0;
    const search = async () => {
      while (!leaving.signal.aborted) {
        searches += 1;
        const answer = await page(`/search?q=forces+${searches}`, SEARCHER, leaving.signal).catch(() => null);
        if (answer) answers.push(answer);
      }
    };
    const searching = Array.from({ length: AT_ONCE }, search);
    await expect.poll(() => answers.length, { timeout: 60_000 }).toBeGreaterThan(0);
    /** How many of the searches end during a piece of work: who waits for its turn behind them all waits for 48. */
    async function endedDuring(work: (turn: number) => Promise<unknown>): Promise<number[]> {
      const counts: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const before = answers.length;
        await work(turn);
        counts.push(answers.length - before);
      }
      return counts;
    }
    // After ten seconds without a turn comes a 503, which a browser retries: the searches of that time count too.
    const look = await endedDuring(async (turn) => {
      let status = 503;
      while (status === 503) ({ status } = await page(`/shop?page=${turn + 11}`, "198.51.100.7"));
      expect(status).toBe(200);
    });
    // Customers have turns of their own, whatever is rendered for visitors.
    for (let order = 0; order < 3; order += 1) await placeOrder(shopper, book);
    // Another visitor has just had the page, so it is cached whatever the searcher is waiting for.
    await page("/about", "198.51.100.7");
    const cached = await endedDuring(() => page("/about", SEARCHER));
    leaving.abort();
    await Promise.all(searching);
    for (const [what, counts] of Object.entries({ look, cached }))
      expect([what, counts, Math.min(...counts) < AT_ONCE / 2]).toEqual([what, counts, true]);
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 503)).toEqual([200]);
    for (const { html } of answers.filter(({ status }) => status === 503))
      expect(html).toMatch(/Failed to load books: |^The shop is busy\. Please try again in a moment\.$/);
  });

  it("do not include a school class's: forty pupils behind one IP address get their pages", async () => {
    const pupils = Array.from({ length: 40 }, (_, n) =>
      page(`/shop?publisher=Publisher+${n % 4}&page=${1 + (n >> 2)}`, "192.0.2.1"),
    );
    const statuses = (await Promise.all(pupils)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
