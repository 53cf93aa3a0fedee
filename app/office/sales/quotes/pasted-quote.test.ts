import { expect, test } from "vitest";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { namedLines, readPasted, sortPasted, writtenLine } from "./pasted-quote.ts";

const book = (id: string, stock: number) => ({ id, title: id, stock_quantity: stock }) as CardBook;
const only = (one: CardBook) => ({ matches: 1, books: [one] });

test("quotes the books of a pasted list, sold-out ones too, and leaves the lines that name no book or no quantity", () => {
  const lines = readPasted("Atlas\t30\nGlobe\t12\nAtlas\t2\nMap\t\nUnknown\t4\nReader\t5");
  const matches = new Map([
    ["Atlas", only(book("Atlas", 3))],
    ["Globe", only(book("Globe", 0))],
    ["Map", only(book("Map", 9))],
    ["Reader", { matches: 2, books: [book("Reader 1", 1), book("Reader 2", 1)] }],
  ]);
  const { found, left } = sortPasted(lines, matches);
  expect(found.map((one) => [one.book.id, one.quantity])).toEqual([
    ["Atlas", 32],
    ["Globe", 12],
  ]);
  expect(left.map((one) => [writtenLine(one), one.problem])).toEqual([
    ["Map", "No quantity."],
    ["Unknown\t4", "We don't have a book with this ISBN or title."],
    ["Reader\t5", "2 books match. Which one do you need?"],
  ]);
});

test("names each line of a pasted list once, without its headings and empty lines", () => {
  expect(namedLines("Title\tQty\nUnknown\t4\n\nMap\nMap\n")).toEqual(["Unknown, 4", "Map"]);
  expect(namedLines(" \n")).toEqual([]);
});
