import { expect, test } from "vitest";
import { bookPath, bookSlug } from "./book-address.ts";

test.each([
  ["Cambridge Primary Science 5", "cambridge-primary-science-5"],
  ["Schofield & Sims: Mental Arithmetic", "schofield-sims-mental-arithmetic"],
  ["Ɛdeɛ a Ɔkyerɛ", "ɛdeɛ-a-ɔkyerɛ"],
  ["L'École d'été", "lecole-dete"],
  ["—", ""],
  ["word ".repeat(30), Array(12).fill("word").join("-")],
])("the title %j becomes %j in a book's URL", (title, slug) => {
  expect(bookSlug(title)).toBe(slug);
});

test("A book's path holds its id and its title, escaped", () => {
  expect(bookPath({ id: "1b", title: "Ɛdeɛ 1" })).toBe("/books/1b/%C9%9Bde%C9%9B-1");
  expect(bookPath({ id: "1b", title: "…" })).toBe("/books/1b/");
});
