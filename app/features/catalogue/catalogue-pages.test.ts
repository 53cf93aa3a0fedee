import { expect, test } from "vitest";
import { neighbourPages } from "./catalogue-pages.tsx";
import { readCatalogueQuery } from "./catalogue-query.ts";

const books = [{ id: "0b0c9d1e-0000-4000-8000-000000000001", title: "Atlas" }];
const neighbours = (address: string, total: number, searchOrder: "title" | "best" = "title") =>
  neighbourPages(readCatalogueQuery(new URLSearchParams(address), searchOrder), books, total);

test("a sort order that ends before its last book links to the same search sorted by title", () => {
  expect(neighbours("q=reader&sort=price&page=100", 2_401)).toEqual({
    previous: "/shop?q=reader&sort=price&page=99",
    next: null,
    byTitle: "/shop?q=reader",
  });
});

test("where the best match comes first by default, the link to the order of titles says so", () => {
  expect(neighbours("q=reader&page=100", 2_401, "best")).toEqual({
    previous: "/shop?q=reader&page=99",
    next: null,
    byTitle: "/shop?q=reader&sort=title",
  });
  expect(neighbours("q=reader&sort=title&page=100", 2_401, "best")).toMatchObject({ byTitle: null });
});

test.each([
  ["sort=price&page=100", 2_400],
  ["sort=price&page=99", 2_401],
  ["page=100", 2_401],
  ["after=0b0c9d1e-0000-4000-8000-000000000001~Atlas", 2_401],
])("a list that does not end early names no other order: %s of %i books", (address, total) => {
  expect(neighbours(address, total).byTitle).toBeNull();
});

test.each([
  ["page=100000", 250, "/shop?page=11"],
  ["page=12", 250, "/shop?page=11"],
  ["page=11", 250, "/shop?page=10"],
  ["page=100000", 20, "/shop"],
  ["page=100000&q=maths", 0, "/shop?q=maths"],
])("a page behind the end leads back to the last one: %s of %i books", (address, total, previous) => {
  expect(neighbours(address, total)).toMatchObject({ previous, next: null });
});
