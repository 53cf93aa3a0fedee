import { expect, test } from "vitest";
import { createMissingPages } from "./missing-pages.ts";

const pageOf = (html: string) => ({ bytes: Buffer.from(html), link: null });

test("finds a page by its key, whatever its address", () => {
  const pages = createMissingPages();
  const page = pageOf("<h1>Not found</h1>");
  pages.store("book", page, ["5b0f0fb4-8f9a-4b0a-9f2e-3f3a3c1f7a11", "a-title"]);
  expect(pages.find("book")).toBe(page);
  expect(pages.find("list")).toBeUndefined();
});

test.each([
  ["contains a parameter from its address", "<p>There is no list AB12CD</p>", ["AB12CD"]],
  ["may contain an encoded parameter from its address", "<p>Not found: a%20b</p>", ["a b"]],
  ["may contain an escaped parameter from its address", "<p>Not found: a&amp;b</p>", ["a&b"]],
])("does not store a page that %s", (_what, html, addressParts) => {
  const pages = createMissingPages();
  pages.store("list", pageOf(html), addressParts);
  expect(pages.find("list")).toBeUndefined();
});

test("drops the least recently used page", () => {
  const pages = createMissingPages(2);
  for (const key of ["1", "2"]) pages.store(key, pageOf(key), []);
  pages.find("1");
  pages.store("3", pageOf("3"), []);
  expect(["1", "2", "3"].map((key) => pages.find(key)?.bytes.toString())).toEqual(["1", undefined, "3"]);
});
