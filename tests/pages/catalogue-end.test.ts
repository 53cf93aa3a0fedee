import { afterAll, beforeAll, expect, test } from "vitest";
import { asOwner, connectTo } from "#tests/load/running-shop.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { linksOf, readPage, textOf } from "#tests/support/read-page.ts";
import { type ShopServer, START_MS } from "#tests/support/shop-server.ts";

/* A catalogue with more books than 100 pages of 24 show, in a shop of its own. */

let shop: ShopServer;
beforeAll(async () => {
  shop = await startPreparedShop("empty");
  const sql = await connectTo(shop.dataDir, 1);
  await asOwner(
    sql,
    (owner) => owner`
      insert into public.books (title, publisher, price, stock_quantity)
      select 'Reader ' || to_char(n, 'fm0000'), case when n <= 30 then 'Sedco' else 'Collins' end, n, 1
        from generate_series(1, 2430) as n`,
  );
  await sql.end();
}, START_MS);
afterAll(() => shop?.stop());

const END = "This order ends after 2,400 of 2,430 books.";

async function read(path: string) {
  const { status, main } = await readPage(path, shop);
  expect([path, status]).toEqual([path, 200]);
  const links = linksOf(main);
  return { text: textOf(main), links, hasMore: links.some(([name]) => name === "More books") };
}

test("a sorted catalogue says on its hundredth page where it ends, and links to the rest by title", async () => {
  const before = await read("/shop?sort=price&page=99");
  expect(before.text).toContain("Page 99 of 100");
  expect([before.text.includes(END), before.hasMore]).toEqual([false, true]);
  for (const sort of ["price", "newest"]) {
    const last = await read(`/shop?sort=${sort}&page=100`);
    expect(last.text).toContain("Page 100 of 100");
    expect([sort, last.text.includes(END), last.hasMore]).toEqual([sort, true, false]);
    expect(last.links).toContainEqual(["go through all of them by title", "/shop"]);
    expect(last.links).toContainEqual(["Narrow your search", expect.stringMatching(/^#/)]);
  }
});

test("the order of titles goes on beyond the hundredth page, and a narrower search ends with its last book", async () => {
  expect((await read("/shop")).text).toContain("Page 1 of 102");
  const hundredth = await read("/shop?page=100");
  expect(hundredth.text).toContain("Page 100 of 102");
  expect([hundredth.text.includes(END), hundredth.hasMore]).toEqual([false, true]);
  const narrow = await read("/shop?publisher=Sedco&sort=price&page=2");
  expect(narrow.text).toContain("Page 2 of 2");
  expect(narrow.text).not.toContain("This order ends");
});

test("names each page of the whole catalogue as the address to index, and the catalogue for a search or a filter", async () => {
  const indexed = async (path: string) => {
    const { document } = await readPage(path, shop);
    return document.querySelector("link[rel=canonical]")?.getAttribute("href")?.slice(shop.url.length);
  };
  const paths = [
    "/shop",
    "/shop?page=2",
    "/shop?page=2&sort=price",
    "/shop?publisher=Sedco&page=2",
    "/shop?q=reader",
  ];
  expect(await Promise.all(paths.map(indexed))).toEqual(["/shop", "/shop?page=2", "/shop", "/shop", "/shop"]);
});

test("responds with 404 and keeps out of search engines what is behind the last page", async () => {
  for (const path of [
    "/shop?page=9999999999&publisher=Sedco",

    "/shop?q=nothing-like-this&page=3",
  ]) {
    const { status, document } = await readPage(path, shop);
    expect([path, status]).toEqual([path, 404]);
    expect(document.querySelector("meta[name=robots]")?.getAttribute("content")).toBe("noindex");
    expect(document.querySelector("link[rel=canonical]")).toBeNull();
  }
  const nothing = await readPage("/shop?q=nothing-like-this", shop);
  expect([nothing.status, nothing.document.querySelector("meta[name=robots]")]).toEqual([200, null]);
});
