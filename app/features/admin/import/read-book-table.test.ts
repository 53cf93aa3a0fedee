import { describe, expect, it } from "vitest";
import { BookTableProblem, readBookTable } from "./read-book-table.ts";
import { MOST_ROWS } from "./table-limits.ts";

const read = (text: string) => readBookTable(new TextEncoder().encode(text));

describe("an uploaded table", () => {
  it("is read with the line on which each row begins, empty rows passed over", () => {
    expect(read('title,price\n\n"Two\nlines, one book",45\n,\nLast,50')).toEqual({
      headings: ["title", "price"],
      rows: [
        { line: 3, cells: ["Two\nlines, one book", "45"] },
        { line: 6, cells: ["Last", "50"] },
      ],
    });
  });

  it("may have the line ends of Windows, a byte order mark and semicolons", () => {
    expect(read("\uFEFFtitle;price\r\nƐna, Ɔba;50\r\n")).toEqual({
      headings: ["title", "price"],
      rows: [{ line: 2, cells: ["Ɛna, Ɔba", "50"] }],
    });
  });

  it.each([
    ["", "The file is empty."],
    ["title,price\n", "The file has headings and no rows."],
    ['title\nfirst\n"open,45\nlast,50', "Line 3: a quotation mark opens in this row and never closes."],
    [
      `title\n${"a\n".repeat(MOST_ROWS + 1)}`,
      "The file has 20,001 rows. Split it into files of at most 20,000.",
    ],
  ])("is refused in words when it cannot be imported", (text, message) => {
    expect(() => read(text)).toThrow(new BookTableProblem(message));
  });

  it("is refused in another encoding, which would lose its accents", () => {
    expect(() => readBookTable(new Uint8Array([0x74, 0xe9, 0x0a]))).toThrow(/not UTF-8/);
  });
});
