import { expect, it } from "vitest";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { readPastedLines, sortPaste } from "./pasted-lines.ts";

it.each([
  ["9781108615310\t2", "9781108615310", 2],
  ["978-1-108-61531-0, 3", "978-1-108-61531-0", 3],
  ["0-306-40615-2;1;", "0-306-40615-2", 1],
  ["9781108615310", "9781108615310", 1],
  ["9781108615310\tSome title\t12", "9781108615310", 12],
  ["Exercise Books, Ruled, 40 Leaves, Pack of 12", "Exercise Books, Ruled, 40 Leaves, Pack of 12", 1],
  ["Exercise Books, Ruled, 40 Leaves, Pack of 12, 2", "Exercise Books, Ruled, 40 Leaves, Pack of 12", 2],
  ["STA-0001\t0", "STA-0001", 1],
  ["STA-0001\t250", "STA-0001", 99],
  ["STA-0001\t 2 \t", "STA-0001", 2],
  ["\t; \tAtlas \t2", "Atlas", 2],
  ["Pens, 12 red", "Pens, 12 red", 1],
  ["Pens; 1234", "Pens", 1],
])("reads %j", (row, text, copies) => {
  expect(readPastedLines(`\n${row}\r\n  \n`)).toEqual([{ text, copies }]);
});

it("reads the line breaks of every operating system, and skips rows without text", () => {
  const texts = readPastedLines("a\rb\r\nc\nd\n; ;\n").map(({ text }) => text);
  expect(texts).toEqual(["a", "b", "c", "d"]);
});

it("sorts lines by what they matched, and finds duplicates within the paste and on the list", () => {
  const book = (id: string) => ({ id, title: id }) as CardBook;
  const [a, b, c] = [book("a"), book("b"), book("c")];
  const pasted = ["a", "both", "none", "a", "c"].map((text) => ({ text, copies: 1 }));
  const matches = [[a], [a, b], [], [a], [c]].map((books, at) => ({
    line: at + 1,
    matches: books.length,
    books,
  }));
  const outcome = sortPaste(pasted, matches, [{ book_id: "c" }, { book_id: null }]);
  expect(outcome.matched.map(({ place }) => place)).toEqual([1]);
  expect(outcome.ambiguous.map(({ place }) => place)).toEqual([2]);
  expect(outcome.unknown.map(({ place }) => place)).toEqual([3]);
  expect(outcome.repeated.map(({ place }) => place)).toEqual([4, 5]);
  // What the shop returned nothing for is unknown to it.
  expect(sortPaste(pasted, matches.slice(0, 4), []).unknown.map(({ place }) => place)).toEqual([3, 5]);
});
