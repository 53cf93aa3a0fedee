import { describe, expect, it } from "vitest";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { csvBeginning, csvLine } from "#shared/tables/csv.ts";
import type { SavedTable } from "#shared/tables/table-file.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { leftOverMessage, leftOverTable } from "./left-over.ts";
import { readOrderLines } from "./order-lines.ts";
import {
  candidateTexts,
  lookupTexts,
  type Matches,
  missingText,
  type OpenLine,
  type PadLine,
  sortPad,
  sumReady,
  withoutAdded,
  withReadings,
} from "./pad.ts";

const csvOf = ({ headings, rows }: SavedTable) => csvBeginning(headings) + rows.map(csvLine).join("");

const bookOf = (id: string, stock_quantity = 50, price = 45.5) =>
  ({ id, title: `Book ${id}`, stock_quantity, price: pesewasFromCedis(price) }) as CardBook;

const matches: Matches = new Map([
  ["a", { matches: 1, books: [bookOf("a")] }],
  ["also a", { matches: 1, books: [bookOf("a")] }],
  ["few", { matches: 1, books: [bookOf("few", 12, 10)] }],
  ["gone", { matches: 1, books: [bookOf("gone", 0)] }],
  ["two", { matches: 2, books: [bookOf("first"), bookOf("second")] }],
  ["unknown", { matches: 0, books: [] }],
]);

const linesOf = (text: string): PadLine[] =>
  readOrderLines(text).map((line) => ({ ...line, bookId: null, refusal: null }));

const sorted = (lines: PadLine[]) => {
  const { ready, open } = sortPad(lines, matches);
  return {
    ready: ready.map(({ book, quantity, adding }) => `${book.id} ${adding}/${quantity}`),
    open: open.map(({ line, problem }) => `${line.line}: ${problem}`),
  };
};

it.each([
  ["9781108743587\tMaths\t4", "9781108743587"],
  ["9781108743588\tMaths\t4", "Maths"],
  ["Maths x 4", "Maths"],
  ["Maths 4", "Maths 4"],
  ["978-1-108-74358-7, 40", "978-1-108-74358-7"],
])("the line '%s' without a book is counted as '%s'", (line, text) => {
  expect(linesOf(`ISBN\tTitle\tQuantity\n${line}`).concat(linesOf(line)).map(missingText)).toContain(text);
});

describe("the pad", () => {
  it("sorts lines into titles for the cart and lines that need attention", () => {
    const lines = linesOf("a, 3\nfew, 40\ngone, 2\ntwo, 5\nunknown, 1\na\nalso a, 4");
    expect(sorted(lines)).toEqual({
      ready: ["a 7/7", "few 12/40"],
      open: [
        "3: Out of stock.",
        "4: 2 books match. Which one do you need?",
        "5: We don't have a book with this ISBN or title.",
        "6: No quantity.",
      ],
    });
    expect(sumReady(sortPad(lines, matches).ready)).toEqual({
      titles: 2,
      copies: 19,
      total: pesewasFromCedis(7 * 45.5 + 12 * 10),
    });
  });

  it("offers the matching books, and requests a quantity only if nothing else is missing", () => {
    const { open } = sortPad(linesOf("two, 5\na\nunknown\ngone, 2\nunknown, 1"), matches);
    expect(open.map(({ choices, needsQuantity }) => [choices.map(({ id }) => id), needsQuantity])).toEqual([
      ...[
        [["first", "second"], false],
        [[], true],
        [[], false],
        [[], false],
        [[], false],
      ],
    ]);
  });

  it("looks up each text once, the ISBN first", () => {
    const texts = (isbn: string, title: string) =>
      lookupTexts({ line: 1, quantity: 1, written: "1", readings: [], isbn, title });
    expect([texts("i", "t"), texts("t", "t"), texts("", "t"), texts("i", "")]).toEqual([
      ...[["i", "t"], ["t"], ["t"], ["i"]],
    ]);
  });

  it("looks up a line's other meanings after its literal text", () => {
    const texts = (text: string) => linesOf(text).flatMap(candidateTexts);
    expect(texts("40 Maths 4")).toEqual(["40 Maths 4", "40 Maths", "Maths 4"]);
    expect(texts("ISBN,Title,Qty\nunknown,Maths 4,3")).toEqual(["unknown", "Maths 4"]);
  });

  it.each([
    ["a 4", "a 4/4", "a 4"],
    ["a - 4", "a 4/4", undefined],
    ["4 a", "a 4/4", "4 a"],
    ["few 2 7", "few 2 7/7", "few 2 7"],
  ])("reads the number in %j as a quantity when only the rest is a title", (text, ready, typed) => {
    const known = new Map([...matches, ["few 2", { matches: 1, books: [bookOf("few 2")] }]]);
    const [line] = withReadings(linesOf(text), known) as [PadLine];
    expect(
      sortPad([line], known).ready.map(({ book, quantity }) => `${book.id} ${quantity}/${quantity}`),
    ).toEqual([ready]);
    expect(line.typed).toBe(typed);
  });

  it("reads a number as part of the title if a book has that title or none has the title without it", () => {
    const known = new Map([...matches, ["a 4", { matches: 1, books: [bookOf("a 4")] }]]);
    const lines = linesOf("a 4\nunknown 4");
    expect(withReadings(lines, known)).toEqual(lines);
  });

  it("reads a marked number as a quantity even if the shop does not know the title", () => {
    const [line] = withReadings(linesOf("unknown - 4"), matches) as [PadLine];
    expect([line.title, line.quantity]).toEqual(["unknown", 4]);
    expect(sortPad([line], matches).open.map(({ searchText }) => searchText)).toEqual(["unknown"]);
  });

  it("a line that can't be added has a text to search for or its sold-out book, unless the cart refused it", () => {
    const lines = linesOf("ISBN,Title,Qty\nunknown,A title,1\ngone,,2\ntwo,,5\nunknown,,");
    const open = (refusal: string | null) =>
      sortPad(
        lines.map((line) => ({ ...line, refusal })),
        matches,
      ).open.map(({ searchText, soldOut }) => [searchText, soldOut?.id]);
    expect(open(null)).toEqual([
      ...[
        ["A title", undefined],
        [undefined, "gone"],
        [undefined, undefined],
        ["unknown", undefined],
      ],
    ]);
    expect(open("Your cart is full.")).toEqual(Array(4).fill([undefined, undefined]));
  });

  it("accepts the chosen book only if it matches the line", () => {
    const [line] = linesOf("two, 5") as [PadLine];
    expect(sorted([{ ...line, bookId: "second" }]).ready).toEqual(["second 5/5"]);
    expect(sorted([{ ...line, bookId: "a" }]).ready).toEqual([]);
  });

  it("finds a title whose ISBN is unknown", () => {
    expect(sorted(linesOf("ISBN,Title,Qty\nunknown,a,3")).ready).toEqual(["a 3/3"]);
  });

  it("refuses lines that together order more than 999 copies", () => {
    const problem = "You can order up to 999 copies of a title.";
    expect(sorted(linesOf("a, 500\nunknown, 1\nalso a, 500"))).toEqual({
      ready: [],
      open: [`1: ${problem}`, "2: We don't have a book with this ISBN or title.", `3: ${problem}`],
    });
    const [first] = sortPad(linesOf("a, 500\nalso a, 500"), matches).open;
    expect([first?.choices, first?.needsQuantity]).toEqual([[], false]);
    expect(sorted(linesOf("a, 500\nalso a, 499")).ready).toEqual(["a 50/999"]);
  });

  it("keeps the copies that the cart did not accept, with the reason", () => {
    const lines = linesOf("a, 3\nfew, 40\nunknown, 1\ntwo, 5");
    const { ready } = sortPad(lines, matches);
    const addition = (wanted: number, added: number, problem: string | null) => ({ wanted, added, problem });
    const all = new Map([
      ["a", addition(3, 3, null)],
      ["few", addition(12, 12, null)],
    ]);
    const left = withoutAdded(lines, ready, all);
    expect(left.map(({ line, quantity, refusal }) => [line, quantity, refusal])).toEqual([
      [2, 28, "We have too few copies. 12 of 40 are in your cart now."],
      [3, 1, null],
      [4, 5, null],
    ]);
    expect(sorted(left).ready).toEqual([]);
    const none = withoutAdded(lines, ready, new Map([["a", addition(3, 0, "cart_full")]]));
    expect(none.map(({ refusal }) => refusal)).toEqual([
      "Your cart is full. Order what is in it first.",
      "We no longer sell this book.",
      null,
      null,
    ]);
  });
});

describe("the lines that could not be ordered", () => {
  const openOf = (text: string) => sortPad(linesOf(text), matches).open;
  const unknown = "We don't have a book with this ISBN or title.";

  it("can be downloaded as a file without formulas", () => {
    const text = "Code,Title,Qty\nunknown,A title,3 copies\nunknown,unknown,1000\ntwo,,5\n=1+1,,";
    expect(csvOf(leftOverTable(openOf(text.replace("Code", "ISBN")))).split("\r\n")).toEqual([
      "\uFEFFLine,ISBN or title,Title,Quantity,Reason",
      `2,unknown,A title,3,${unknown}`,
      `3,unknown,,1000,${unknown}`,
      "4,two,,5,2 books match. Which one do you need?",
      `5,'=1+1,,,${unknown}`,
      "",
    ]);
  });

  it("can be sent as a message with a line for each", () => {
    const text = `ISBN,Title,Qty\nunknown,${"long ".repeat(30)},3\nunknown,unknown,1000\n=1+1,,`;
    expect(leftOverMessage(openOf(text))).toEqual({
      subject: "Books missing from our order",
      body: [
        "Can you help us with these books?",
        "",
        `3 x ${`unknown, ${"long ".repeat(30)}`.slice(0, 120)} (${unknown})`,
        `1000 x unknown (${unknown})`,
        `? x =1+1 (${unknown})`,
      ].join("\r\n"),
    });
  });

  it("can be sent as a message that fits in a link, however many there are", () => {
    const [line] = linesOf("x, 1") as [PadLine];
    // With its line break, each of them has 100 characters.
    const open: OpenLine = { line, problem: "p".repeat(90), choices: [], needsQuantity: false };
    const message = (lines: number) => leftOverMessage(Array.from({ length: lines }, () => open)).body;
    expect(message(15).split("\r\n")).toHaveLength(2 + 15);
    expect(message(16).split("\r\n").slice(2)).toEqual([
      ...Array(15).fill(`1 x x (${"p".repeat(90)})`),
      "And 1 more line, which I can send you as a file.",
    ]);
  });
});
