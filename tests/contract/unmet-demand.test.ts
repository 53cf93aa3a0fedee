import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSecrets } from "#server/lib/secrets.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { type ShopServer, START_MS, startShop } from "#tests/support/shop-server.ts";

/* Searches and bulk orders counted by a whole shop with several processes; stopping them writes what they have gathered. */

let shop: ShopServer;
let database: Awaited<ReturnType<typeof newDatabase>>;
let sql: postgres.Sql;
let key = "";

beforeAll(async () => {
  database = await newDatabase();
  shop = await startShop({ DATABASE_URL: database.url, SHOP_DEMO: "0", WORKERS: "2" });
  key = (await readSecrets(shop.dataDir))?.publishableKey ?? "";
  sql = postgres(database.url, { max: 1, onnotice: () => {} });
  await sql`insert into public.books (title, publisher, price, stock_quantity)
            select 'Plants ' || n, 'Collins', 10, 30 from generate_series(1, 5) as n`;
}, START_MS);
afterAll(async () => {
  await sql?.end();
  await shop?.stop();
  await database?.drop();
});

const visit = async (path: string, visitor: string, headers: Record<string, string> = {}) => {
  const response = await fetch(shop.url + path, {
    headers: { "x-forwarded-for": visitor, connection: "close", ...headers },
  });
  expect([path, response.status]).toEqual([path, 200]);
  await response.text();
};

const call = async (name: string, body: object, visitor: string) => {
  const response = await fetch(`${shop.url}/rest/v1/rpc/${name}`, {
    method: "POST",
    headers: { apikey: key, "content-type": "application/json", "x-forwarded-for": visitor },
    body: JSON.stringify(body),
  });
  expect([name, response.status]).toEqual([name, 200]);
  return response.json();
};

test("a shown search counts once per visitor, whichever process or cache served it", async () => {
  const visitors = ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.3", "203.0.113.3"];
  for (const visitor of visitors) {
    await visit("/shop?q=Aki-Ola", visitor);
    await visit("/search?q=aki-ola", visitor);
    await visit("/shop.data?q=aki-ola&_routes=routes%2Fshop%2Fshop", visitor);
    // Not counted: searches with filters, with enough results, or not shown to anyone.
    await visit("/shop?q=aki-ola&publisher=Collins&x=filtered", visitor);
    await visit("/shop?q=filtered&stock=in", visitor);
    await visit("/shop?q=plants", visitor);
    await visit("/shop?q=by-a-robot", visitor, { "user-agent": "Examplebot/1.0" });
    await call("suggest_books", { _q: "aki-o" }, visitor);
    await call("catalogue_page", { _search: { q: "by the api" }, _columns: ["id"] }, visitor);
    await call(
      "match_book_lines",
      { _lines: ["typed by staff", { text: "Aki", line: "Aki-Ola JHS" }] },
      visitor,
    );
  }
  await visit("/shop?q=plants 1", "203.0.113.1");
  for (let n = 1; n <= 10; n += 1) await visit("/shop?q=mostly cached", `198.51.100.${n}`);
  await shop.stop();
  expect(await sql`select kind, text, visitors, found from private.unmet_demand order by kind, text`).toEqual(
    [
      { kind: "line", text: "aki-ola jhs", visitors: 3, found: 0 },
      { kind: "search", text: "aki-ola", visitors: 3, found: 0 },
      { kind: "search", text: "mostly cached", visitors: 10, found: 0 },
      { kind: "search", text: "plants 1", visitors: 1, found: 1 },
    ],
  );
});
