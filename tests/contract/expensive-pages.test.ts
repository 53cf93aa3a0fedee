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

  /** Half of what a piece of work takes in so many turns is below this, in ms; `prepare` is not counted. */
  async function median(
    work: (turn: number) => Promise<unknown>,
    prepare: () => Promise<unknown> = async () => {},
  ): Promise<number> {
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await prepare();
      const startedAt = performance.now();
      await work(turn);
      times.push(performance.now() - startedAt);
    }
    return times.sort((a, b) => a - b)[2] ?? Number.NaN;
  }

  /** What another visitor waits for a page that is not kept, and a customer for an order. */
  async function waitsOfOthers(firstPage: number) {
    const look = await median(async (turn) =>
      expect((await page(`/shop?page=${firstPage + turn}`, "198.51.100.7")).status).toBe(200),
    );
    return { look, order: await median(() => placeOrder(shopper, book)) };
  }

  it("keep neither other visitors nor customers waiting, and are answered, or refused with the shop's message", async () => {
    const calm = await waitsOfOthers(1);
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
    await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThan(0);
    // Another visitor has just had the page, so it is kept whatever the searcher is waiting for.
    const keptWait = await median(
      () => page("/about", SEARCHER),
      () => page("/about", "198.51.100.7"),
    );
    const busy = await waitsOfOthers(11);
    leaving.abort();
    await Promise.all(searching);
    const calmAgain = await waitsOfOthers(21);
    const look = Math.max(calm.look, calmAgain.look, 20);
    const order = Math.max(calm.order, calmAgain.order, 20);
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 503)).toEqual([200]);
    for (const { html } of answers.filter(({ status }) => status === 503))
      expect(html).toMatch(/Failed to load books: |^The shop is busy\. Please try again in a moment\.$/);
    expect(keptWait).toBeLessThan(look * 8);
    expect(busy.look).toBeLessThan(look * 8);
    expect(busy.order).toBeLessThan(order * 8);
  }, 120_000);

  it("do not include a school class's: forty pupils behind one IP address get their pages", async () => {
    const pupils = Array.from({ length: 40 }, (_, n) =>
      page(`/shop?publisher=Publisher+1&page=${n + 1}`, "192.0.2.1"),
    );
    const statuses = (await Promise.all(pupils)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
