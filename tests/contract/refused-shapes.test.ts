import { afterAll, beforeAll, expect, test } from "vitest";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi();
  await api.sql.query(
    "insert into public.books (title, publisher, price) values ('One', 'Two of a kind', 1), ('Two', 'Two of a kind', 2)",
  );
});
afterAll(() => api?.close());

const single = { accept: "application/vnd.pgrst.object+json" };

test.each([
  ["two rows", "publisher=eq.Two of a kind"],
  ["no row", "publisher=eq.None"],
])("A change that must affect one row and affects %s is rolled back, and says so", async (_, filter) => {
  const path = `/rest/v1/books?${encodeURI(filter)}`;
  const options = { key: "secret", method: "PATCH", body: { price: 9 }, headers: single } as const;
  const response = await api.ask(path, options);
  expect([response.status, await response.json()]).toMatchObject([406, { code: "PGRST116" }]);
  const prices = await api.sql.query<{ price: string }>(
    "select price::text from public.books where publisher = 'Two of a kind' order by price",
  );
  expect(prices.map(({ price }) => Number(price))).toEqual([1, 2]);
});

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test.each([
  ["an argument nested 60,000 deep", "/rest/v1/rpc/search_books", `{"_search":${nested(60_000)}}`],
  ["a row nested 60,000 deep", "/rest/v1/books", `{"title":${nested(60_000)}}`],
  [
    "files sorted by an object",
    "/storage/v1/object/list/book-covers",
    '{"prefix":"","sortBy":{"column":{"toString":1}}}',
  ],
  ["files listed 60,000 deep", "/storage/v1/object/list/book-covers", `{"prefix":${nested(60_000)}}`],
])("There is no internal failure: %s", async (_, path, body) => {
  const response = await api.ask(path, { key: "secret", method: "POST", body });
  expect(response.status).toBe(400);
});
