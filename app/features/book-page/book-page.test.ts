import { expect, test } from "vitest";
import { pesewasFromCedis } from "#app/lib/money.ts";
import { describeBook } from "./book-page.ts";

const book = { title: "Atlas", authors: null, publisher: "Collins", price: pesewasFromCedis(45.5) };

test.each([
  [null, "Atlas, Collins, GH₵45.50."],
  ["Maps of\n all  continents.", "Maps of all continents."],
  ["x".repeat(200), "x".repeat(200)],
  [`${"word ".repeat(60)}`, `${"word ".repeat(40).trim()} …`],
  ["x".repeat(5_000), `${"x".repeat(200)} …`],
  ["📚".repeat(5_000), `${"📚".repeat(100)} …`],
  [`x${"📚".repeat(5_000)}`, `x${"📚".repeat(99)} …`],
])("describes a book to search engines in 200 characters or so: %j", (description, words) => {
  expect(describeBook({ ...book, description })).toBe(words);
});
