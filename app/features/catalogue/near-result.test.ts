import { expect, onTestFinished, test, vi } from "vitest";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { type CatalogueQuery, readCatalogueQuery } from "./catalogue-query.ts";
import { nearResult } from "./near-result.ts";

const maths = readCatalogueQuery(new URLSearchParams("q=mahts"));
const near = { books: [{ id: "a", price: 45 }], meant: "maths" };
const shown = { books: [{ id: "a", price: 4_500 }], meant: "maths" };

/** What is shown beside a search when the database responds like this, and what was requested. */
async function show(response: object, query: Partial<CatalogueQuery> = {}, total = 0) {
  const asked: unknown[] = [];
  const rpc = async (name: string, asks: { _search: { q: string; page_size: number }; _found: number }) => {
    asked.push([name, asks._search.q, asks._search.page_size, asks._found]);
    return response;
  };
  const found = await nearResult({ rpc } as unknown as BackendClient, { ...maths, ...query }, total, 24);
  return { found, asked };
}
const data = (books: object) => ({ data: books, error: null, status: 200 });

test("Close matches follow a search, which tells how many books it has found, if there are any", async () => {
  expect(await show(data(near))).toEqual({ found: shown, asked: [["near_books", "mahts", 24, 0]] });
  expect(await show(data(near), {}, 8)).toEqual({ found: shown, asked: [["near_books", "mahts", 24, 8]] });
  expect((await show(data({ books: [], meant: null }))).found).toBeNull();
});

const cursor = { title: "maths", id: "0190b1a2-0000-4000-8000-000000000001" };

test.each<[what: string, query: Partial<CatalogueQuery>]>([
  ["has no text", { q: "" }],
  ["is on a later page", { page: 2 }],
  ["is after a book", { after: cursor }],
  ["is before a book", { before: cursor }],
])("No close matches are requested for a search that %s", async (_, query) => {
  expect(await show(data(near), query)).toEqual({ found: null, asked: [] });
});

test("A failure leaves the result as it is", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const timeout = { data: null, error: { code: "57014" }, status: 500 };
  for (const response of [timeout, data({}), data({ books: [null], meant: null })])
    expect((await show(response)).found).toBeNull();
  expect(log.mock.calls).toEqual(Array(3).fill([expect.stringMatching(/^Failed to find close matches \(/)]));
});
