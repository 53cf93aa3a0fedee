import { expect, test } from "vitest";
import { createMissingPages } from "./missing-pages.ts";

const pageOf = (html: string) => ({ bytes: Buffer.from(html), link: null });

test("finds a page by all that it depends on, whatever its address", () => {
  const pages = createMissingPages();
  const page = pageOf("<h1>Not found</h1>");
  pages.keep("book", page, ["5b0f0fb4-8f9a-4b0a-9f2e-3f3a3c1f7a11", "a-title"]);
  expect(pages.find("book")).toBe(page);
  expect(pages.find("list")).toBeUndefined();
});

test.each([
  ["names a part of its address", "<p>There is no list AB12CD</p>", ["AB12CD"]],
  ["might name one in another spelling", "<p>Not found: a%20b</p>", ["a b"]],
  ["might name one that is escaped", "<p>Not found: a&amp;b</p>", ["a&b"]],
])("does not keep a page that %s", (_what, html, named) => {
  const pages = createMissingPages();
  pages.keep("list", pageOf(html), named);
  expect(pages.find("list")).toBeUndefined();
});

test("forgets the pages that nobody has asked for longest", () => {
  const pages = createMissingPages(2);
  for (const key of ["1", "2"]) pages.keep(key, pageOf(key), []);
  pages.find("1");
  pages.keep("3", pageOf("3"), []);
  expect(["1", "2", "3"].map((key) => pages.find(key)?.bytes.toString())).toEqual(["1", undefined, "3"]);
});
