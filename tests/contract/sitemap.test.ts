import { afterAll, beforeAll, expect, test } from "vitest";
import { listSitemapBooks, listSitemapParts } from "#app/features/catalogue/sitemap.queries.ts";
import { type BackendClient, createAnonymousBackend } from "#app/lib/backend/client.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

let api: OwnApi;
let visitor: BackendClient;
let ids: string[] = [];

beforeAll(async () => {
  api = await openOwnApi();
  await api.fillShelf(2_050, 1);
  visitor = createAnonymousBackend("http://shop.example", "sb_publishable_test", (input) => {
    const { pathname, search } = new URL(String(input instanceof Request ? input.url : input));
    return api.ask(pathname + search);
  });
  ids = (await api.sql.query<{ id: string }>("select id from public.books order by id")).map(({ id }) => id);
});
afterAll(() => api?.close());

/** How many books each part has; together they are all books, each once. */
async function sizes(partBooks?: number) {
  const parts = await listSitemapParts(visitor, partBooks);
  const books = await Promise.all(parts.map((part) => listSitemapBooks(visitor, part)));
  expect(books.flat().map(({ id }) => id)).toEqual(ids);
  return books.map(({ length }) => length);
}

test("The sitemap's parts have every book once, read a thousand at a time", async () => {
  expect(await sizes()).toEqual([2_050]);
  expect(await sizes(2_050)).toEqual([2_050]);
  expect(await sizes(2_049)).toEqual([2_049, 1]);
  expect(await sizes(500)).toEqual([500, 500, 500, 500, 50]);
});

test("The sitemap of a shop without books has one part", async () => {
  await api.sql.exec("delete from public.books");
  const parts = await listSitemapParts(visitor);
  expect(parts).toEqual([{ from: null, before: null }]);
  expect(await listSitemapBooks(visitor, { from: null, before: null })).toEqual([]);
});
