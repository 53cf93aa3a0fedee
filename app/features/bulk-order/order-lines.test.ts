import { describe, expect, it } from "vitest";
import { isbnHint, quantityProblem, readOrderLines } from "./order-lines.ts";

/** Each line as "line: book × quantity", with both ISBN and title where they differ. */
const read = (text: string) =>
  readOrderLines(text).map(({ line, isbn, title, quantity, written }) => {
    const book = [...new Set([isbn, title])].filter((one) => one !== "").join(" | ");
    return `${line}: ${book} × ${quantity ?? `(${written})`}`;
  });

describe("a pasted list of books to order", () => {
  it.each([
    ["9780008123451, 40", "1: 9780008123451 × 40"],
    ["978-0-00-812345-1;40", "1: 978-0-00-812345-1 × 40"],
    ["978 0 00 812345 1\t40", "1: 978 0 00 812345 1 × 40"],
    ["9780008123451 40", "1: 9780008123451 × 40"],
    ["978 0 00 812345 1 40", "1: 978 0 00 812345 1 × 40"],
    ["978 0 00 812345 1", "1: 978 0 00 812345 1 × ()"],
    ["0-19-853453-1, 12 copies", "1: 0-19-853453-1 × 12"],
    ["40 x 9780008123451", "1: 9780008123451 × 40"],
    ["Primary Maths 2 x 40", "1: Primary Maths 2 × 40"],
    ["Primary Maths 2", "1: Primary Maths 2 × ()"],
    ["Maths, Book 2, 30", "1: Maths, Book 2 × 30"],
    ['"Maths, Book 2",30', "1: Maths, Book 2 × 30"],
    ["40, 9780008123451", "1: 9780008123451 × 40"],
    ["1, 9780008123451, Primary Maths, 40, 45.50", "1: 9780008123451 | Primary Maths × 40"],
    ["9780008123451, 12.5", "1: 9780008123451 × (12.5)"],
    ["9780008123451, 0", "1: 9780008123451 × (0)"],
    ["9780008123451, 1000", "1: 9780008123451 × (1000)"],
    ["9780008123451, -3", "1: 9780008123451 × (-3)"],
    ['="9780008123451",40', "1: 9780008123451 × 40"],
    ["'9780008123451\t40", "1: 9780008123451 × 40"],
    ["N-1-11, 7", "1: N-1-11 × 7"],
    ["61120081, 5", "1: 61120081 × 5"],
    ["9.78001E+12\t5", "1: 9.78001E+12 × 5"],
    ["9780008123451 12 copies", "1: 9780008123451 × 12"],
    ["978 0 00 812345 1 1 copy", "1: 978 0 00 812345 1 × 1"],
    ["9780008123451 40 copies each", "1: 9780008123451 40 copies each × ()"],
    ["12x  Primary   Maths", "1: Primary Maths × 12"],
    ["12 × Maths × 3", "1: Maths × 3 × 12"],
    ["12345 x Maths", "1: 12345 x Maths × ()"],
    ["Maths ×12", "1: Maths × 12"],
    ["Maths x 12 extra", "1: Maths x 12 extra × ()"],
    ["3 copies of Primary Maths 2", "1: Primary Maths 2 × 3"],
    ["1 copy of Maths", "1: Maths × 1"],
    ["3 copies Primary Maths 2", "1: Primary Maths 2 × 3"],
    ["12pcs Maths", "1: Maths × 12"],
    ["3 copies of 9780008123451", "1: 9780008123451 × 3"],
    ["9780008123451 - 40", "1: 9780008123451 × 40"],
    ["978-0-00-812345-1: 40 copies", "1: 978-0-00-812345-1 × 40"],
    ["Primary Maths 2 - 40 copies", "1: Primary Maths 2 × 40"],
    ["Primary Maths 2 40 pcs.", "1: Primary Maths 2 × 40"],
    ["Maths – x 12", "1: Maths × 12"],
    ["1000 copies of Maths", "1: Maths × (1000)"],
    ["3 copiesof Maths", "1: 3 copiesof Maths × ()"],
    ["No 4 nostalgia", "1: No 4 nostalgia × ()"],
    ["Maths A x 4, ,", "1: Maths A × 4"],
    ["Maths, Book 2, 30, 4", "1: Maths, Book 2 × 30"],
    ["Maths, Book 2, 12.5", "1: Maths, Book 2 × (12.5)"],
    ["Maths, , Book 2, 30", "1: Maths, Book 2 × 30"],
    ['"Maths, 30"', "1: Maths, 30 × ()"],
    ["Maths; Part 1, 30", "1: Maths; Part 1 × 30"],
    ["Maths, Physics", "1: Maths, Physics × ()"],
    ["Maths\tRoom B\t5", "1: Maths × 5"],
    ["Maths\tB12", "1: Maths × ()"],
    ["Maths\t12B", "1: Maths × ()"],
    ["B, Maths, 3", "1: Maths × 3"],
    ["B, Maths", "1: Maths × ()"],
    ["5, Maths", "1: Maths × 5"],
    ["5.5, Maths", "1: Maths × ()"],
    ["1000, Maths", "1: Maths × (1000)"],
    ["1 000, Maths", "1: Maths × (1 000)"],
    ["12 34, Maths", "1: Maths × ()"],
    ["7, 8", "1: 7 × 8"],
    ["9780008123451, 999", "1: 9780008123451 × 999"],
    ["9780008123451, x3", "1: 9780008123451 × 3"],
    ["9780008123451, x 3", "1: 9780008123451 × 3"],
    ["9780008123451, 3x", "1: 9780008123451 × 3"],
    ["9780008123451, 3 no", "1: 9780008123451 × 3"],
    ["9780008123451, 3 nos.", "1: 9780008123451 × 3"],
    ["9780008123451, 3x4", "1: 9780008123451 × ()"],
    ["9780008123451, 12 boxes", "1: 9780008123451 | 12 boxes × ()"],
    ["Maths, 198534531, 3", "1: 198534531 | Maths × 3"],
    ["Maths\t9.78001E+12\t5", "1: 9.78001E+12 | Maths × 5"],
    ["Maths\tX9.78001E+12\t5", "1: Maths × 5"],
    ["Maths\t9.78001E+12X\t5", "1: Maths × 5"],
    [' =" 9780008123451 ",40', "1: 9780008123451 × 40"],
    ['Say ="Maths",3', '1: Say ="Maths" × 3'],
    ['="Maths" plus,3', '1: ="Maths" plus × 3'],
    ["O'2 Maths,3", "1: O'2 Maths × 3"],
    ["A guide to sep=;, 4", "1: A guide to sep=; × 4"],
    ["sep=x ray, 5", "1: sep=x ray × 5"],
  ])("reads %j", (text, line) => {
    expect(read(text)).toEqual([line]);
  });

  it("reads columns by their headings, in any order, below a school's own lines", () => {
    const text = [
      "Bright Future School",
      "",
      "No.\tTitle\tISBN\tPrice\tStock\tQty required",
      "1\tPrimary Maths 2\t9780008123451\t45\t12\t40",
      "2\tA title without an ISBN\t\t45\t12\t3",
      "",
      "3\tNothing wanted\t9780008123468\t45\t12\t",
    ].join("\r\n");
    expect(read(text)).toEqual([
      "4: 9780008123451 | Primary Maths 2 × 40",
      "5: A title without an ISBN × 3",
      "7: 9780008123468 | Nothing wanted × ()",
    ]);
  });

  it.each([
    ["Primary Maths - 4", ["Primary Maths × 4, marked"]],
    ["Primary Maths 2 – 4", ["Primary Maths 2 × 4, marked"]],
    ["Primary Maths 2 — 4", ["Primary Maths 2 × 4, marked"]],
    ["Primary Maths 2: 4", ["Primary Maths 2 × 4, marked"]],
    ["Primary Maths 2 = 4", ["Primary Maths 2 × 4, marked"]],
    ["Primary Maths 2 (40)", ["Primary Maths 2 × 40, marked"]],
    ["Maths, Book 2 - 4", ["Maths, Book 2 × 4, marked"]],
    ["Primary Maths 4", ["Primary Maths × 4"]],
    ["40 Primary Maths 4", ["40 Primary Maths × 4", "Primary Maths 4 × 40"]],
    ["12 Primary Maths", ["Primary Maths × 12"]],
    ["Maths-4", []],
    ["N-1-11", []],
    ["Primary Maths 0", []],
    ["History 1957", []],
    ["Primary Maths 4, 3", []],
    ["9780008123451", []],
  ])("gives the readings of a line in which no word sets the quantity apart: %j", (text, readings) => {
    const [line] = readOrderLines(text);
    expect(
      line?.readings.map(
        ({ title, quantity, isMarked }) => `${title} × ${quantity}${isMarked ? ", marked" : ""}`,
      ),
    ).toEqual(readings);
  });

  it("reads a lone ISBN as an ISBN, and other lone text as an ISBN or a title", () => {
    const line = { line: 1, quantity: null, written: "", readings: [] };
    expect(readOrderLines("978 0 00 812345 1")).toEqual([{ ...line, isbn: "978 0 00 812345 1", title: "" }]);
    expect(readOrderLines("Maths")).toEqual([{ ...line, isbn: "Maths", title: "Maths" }]);
  });

  it.each([
    ["Title,Qty\n,3\nMaths,4", ["3: Maths × 4"]],
    ["Title,Qty,Quantity ordered\nMaths,3,4", ["2: Maths × 4"]],
    ["Title,Notes needed,Qty\nMaths,yes,4", ["2: Maths × 4"]],
    ["ISBN,Class\n9780008123451,4", ["1: ISBN, Class × ()", "2: 9780008123451 × 4"]],
    ["Qty,Class\n3,4", ["1: Qty, Class × ()", "2: 3 × 4"]],
    ["Maths, Book 2\t3\nPhysics", ["1: Maths, Book 2 × 3", "2: Physics × ()"]],
  ])("reads a line as headings only if it names a book and a quantity: %j", (text, lines) => {
    expect(read(text)).toEqual(lines);
  });

  it("looks for headings in the first twelve lines", () => {
    const below = (rows: number) => read(`${"Our school\n".repeat(rows)}Title,Qty\nMaths,4`).length;
    expect([below(11), below(12)]).toEqual([1, 14]);
  });

  it("reads the quantity, not the shop's stock or a row's number", () => {
    expect(read("No.,Book,Qty\n1,Primary Maths 2,40")).toEqual(["2: Primary Maths 2 × 40"]);
    expect(read("ISBN,Quantity in stock,Order quantity\n9780008123451,12,40")).toEqual([
      "2: 9780008123451 × 40",
    ]);
  });

  it("reads lines with different separators, and skips Excel's separator line", () => {
    expect(read("sep=;\n9780008123451;40\nMaths 1;3\n9780008123468, 5\n\nMaths 2\t6")).toEqual([
      "2: 9780008123451 × 40",
      "3: Maths 1 × 3",
      "4: 9780008123468 × 5",
      "6: Maths 2 × 6",
    ]);
  });

  it("never fails and loses no line, whatever the text", () => {
    expect(read("")).toEqual([]);
    expect(read(" \n\t\n;;;\n")).toEqual([]);
    expect(read('"an open quotation mark, 3\n9780008123451, 4')).toHaveLength(2);
    expect(readOrderLines("x".repeat(100_000))).toHaveLength(1);
  });
});

describe("a quantity that cannot be ordered", () => {
  it.each([
    ["", "No quantity."],
    ["1000", "You can order up to 999 copies of a title."],
    ["12.5", "“12.5” is not a number of copies."],
    ["0", "“0” is not a number of copies."],
    ["forty", "“forty” is not a number of copies."],
  ])("%j: %s", (written, problem) => {
    expect(quantityProblem({ quantity: null, written })).toBe(problem);
    expect(quantityProblem({ quantity: 3, written: "3" })).toBeNull();
  });
});

describe("an ISBN that the shop does not know", () => {
  it.each([
    ["9780008123452", /check digit is wrong/],
    ["0198534532", /check digit is wrong/],
    ["9.78001E+12", /spreadsheet has shortened/],
    ["9E+12", /spreadsheet has shortened/],
  ])("%s may be mistyped", (isbn, hint) => {
    expect(isbnHint(isbn)).toMatch(hint);
  });

  it.each(["9780008123451", "0198534531", "N-1-11", "Primary Maths 2", "A9.78E+12", "9.78E+12B", ""])(
    "%j looks right",
    (isbn) => {
      expect(isbnHint(isbn)).toBeNull();
    },
  );
});
