import { afterAll, beforeAll, expect, test } from "vitest";
import { matchBookLines } from "#app/features/booklists/booklists.queries.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";
import { ownClient } from "#tests/support/own-client.ts";

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi();
  await api.fillShelf(3, 1);
});
afterAll(() => api?.close());

test("500 bulk order lines, each ten times as long as a title may be, are matched in order", async () => {
  const lines = Array.from({ length: 500 }, (_, n) =>
    n === 499 ? "Book 2" : `${n} ${"Ɛwɔ hɔ ".repeat(700)}`,
  );
  const found = await matchBookLines(ownClient(api, "publishable"), lines);
  expect(found.map(({ line }) => line)).toEqual(lines.map((_, n) => n + 1));
  expect(found.filter(({ matches }) => matches > 0)).toMatchObject([
    { line: 500, books: [{ title: "Book 2" }] },
  ]);
});
