import { describe, expect, it } from "vitest";
import { BookTableProblem, readBookTable } from "./book-table.ts";

const read = (text: string) => readBookTable(new TextEncoder().encode(text));
const cellsOf = (text: string) => read(text).rows.map(({ cells }) => cells);
const problemsOf = (text: string) =>
  read(text).rows.flatMap(({ line, problem }) => (problem ? [[line, problem]] : []));

const unclosed = "A quotation mark opens in this row and never closes.";

describe("a supplier's table", () => {
  it("is read with the line on which each row begins, skipping empty rows", () => {
    expect(read('title,price\n\n"Two\nlines, one book",45\n,\nLast,50')).toEqual({
      encoding: "UTF-8",
      headings: ["title", "price"],
      rows: [
        { line: 3, cells: ["Two\nlines, one book", "45"] },
        { line: 6, cells: ["Last", "50"] },
      ],
    });
  });

  it("counts lines that end as on Windows, Unix and old Macs, even mixed", () => {
    expect(read('title,price\r\nA,1\rB,2\n\r\n"C\rD",3\r\nE,4').rows).toEqual([
      { line: 2, cells: ["A", "1"] },
      { line: 3, cells: ["B", "2"] },
      { line: 5, cells: ["C\nD", "3"] },
      { line: 7, cells: ["E", "4"] },
    ]);
  });

  it.each([
    ["a byte order mark and semicolons", "\uFEFFtitle;price\r\nƐna, Ɔba;50\r\n"],
    ["Excel's first line", "sep=;\r\ntitle;price\r\nƐna, Ɔba;50\r\n"],
    ["Excel's first line between quotation marks", '"sep=;"\r\ntitle;price\r\nƐna, Ɔba;50\r\n'],
    ["tabs", "title\tprice\nƐna, Ɔba\t50\n"],
    ["spaces before quotation marks", 'title, price\n "Ɛna, Ɔba" ,50\n'],
  ])("may have %s", (_, text) => {
    expect(cellsOf(text)).toEqual([["Ɛna, Ɔba", "50"]]);
  });

  it.each([
    ["UTF-8", Buffer.from("title,price\nÉté ₵,5\n"), "Été ₵"],
    ["UTF-16", Buffer.from("\uFEFFtitle\tprice\nÉté ₵\t5\n", "utf16le"), "Été ₵"],
    ["UTF-16", Buffer.from("title\tprice\nÉté ₵\t5\n", "utf16le"), "Été ₵"],
    ["UTF-16", Buffer.from("\uFEFFtitle\tprice\nÉté ₵\t5\n", "utf16le").swap16(), "Été ₵"],
    ["Windows-1252", Buffer.from("title,price\nÉté \x96 \x80\n", "latin1"), "Été – €"],
  ] as const)("may be written in %s", (encoding, bytes, title) => {
    const table = readBookTable(new Uint8Array(bytes));
    expect(table.encoding).toBe(encoding);
    expect(table.headings).toEqual(["title", "price"]);
    expect(table.rows[0]?.cells[0]).toBe(title);
  });

  it("that was pasted together from two encodings keeps the letters of both", () => {
    const bytes = Buffer.concat([
      Buffer.from("title\nƐna\n"),
      Buffer.from("Été\r\n", "latin1"),
      Buffer.from("Ɔba\n"),
    ]);
    expect(readBookTable(new Uint8Array(bytes)).rows.map(({ cells }) => cells)).toEqual([
      ["Ɛna"],
      ["Été"],
      ["Ɔba"],
    ]);
  });

  it("may have characters escaped for the web between semicolons", () => {
    expect(cellsOf("title;publisher\nPupil&#39;s Book;Schofield &amp; Sims\nR&D;CGP\n")).toEqual([
      ["Pupil&#39;s Book", "Schofield &amp; Sims"],
      ["R&D", "CGP"],
    ]);
  });

  it("may have quotation marks that mean inches or are inside a title", () => {
    expect(cellsOf('title,price\nRuler 12" long,45\n"The "Best" Atlas",5\n"Say ""hi""",6\n')).toEqual([
      ['Ruler 12" long', "45"],
      ['The "Best" Atlas', "5"],
      ['Say "hi"', "6"],
    ]);
  });

  it.each([
    ["up to the end", 'title,price\nA,1\n"B,2\nC,3\n', [3]],
    ["up to a title in quotation marks", 'title;price\n"B;2\nC;"3,50"\n"D";4\n', [2]],
    ["up to a title that also has one too many", 'title;isbn;price\n"B;1;2\n"Good;x";3;4\nC;1;2\n', [2]],
    ["up to the inches of another row", 'title,price\n"B,2\nRuler 12",3\nC,3\n', [2]],
    ["for very long", `title,price\n"B,2\n${"C,3\n".repeat(100_000)}`, [2]],
  ])("loses no other row to a quotation mark that opens and never closes, %s", (_, text, broken) => {
    const { rows } = read(text);
    const found = rows.filter(({ problem }) => problem === unclosed).map(({ line }) => line);
    expect(found).toEqual(expect.arrayContaining(broken));
    expect(rows).toHaveLength(text.trimEnd().split("\n").length - 1);
  });

  it("has its headings below a letterhead, which is left out with its reason", () => {
    const text = "ACME BOOKS LTD;;\nPrice list 2026;;\n\nTitle of Book;Unit Price (GH₵);ISBN No.\nA;5;X-1\n";
    expect(read(text).headings).toEqual(["Title of Book", "Unit Price (GH₵)", "ISBN No."]);
    expect(problemsOf(text)).toEqual([
      [1, "This line is above the headings."],
      [2, "This line is above the headings."],
    ]);
  });

  it("names the rows that are not books", () => {
    const text = [
      "Title,ISBN,Price",
      "Total English,X-1,5",
      "title,isbn,price ",
      "A,B,C,D",
      "Total,,1200.00",
      ",,",
      'Grand total:,,"GHS 1,200"',
      "Totally Maths,X-2,5",
    ].join("\n");
    expect(problemsOf(text)).toEqual([
      [3, "The headings are repeated here."],
      [4, "The row has more cells than there are headings."],
      [5, "This looks like a line of totals, not a book."],
      [7, "This looks like a line of totals, not a book."],
    ]);
  });

  it.each([
    ["a total within a title", "The Total Maths,X-1,5", false],
    ["a total that something precedes", "Our total,,5", false],
    ["a subtotal", "Subtotal,,5", true],
    ["a sub-total with a dash for a sum", " Sub-Totals (GHS 5): ,-,", false],
    ["a total with a dash for a sum", " Totals : ,-,", true],
    ["a total with a code that begins with a dash", "Total,-a,5", false],
    ["a total with a code that ends with a dash", "Total,a-,5", false],
    ["a total beside a word", "Total,five,5", false],
  ])("tells a line of totals from other rows: %s", (_, row, isTotal) => {
    const problem = "This looks like a line of totals, not a book.";
    expect(problemsOf(`Title,ISBN,Price\n${row}\n`)).toEqual(isTotal ? [[2, problem]] : []);
  });

  it("may have more cells than headings if the extra ones are empty", () => {
    expect(problemsOf("title,price\nA,5, ,\n")).toEqual([]);
  });

  it("does not mistake other cells with the same letters for its headings", () => {
    expect(problemsOf("title,price\ntitlep,rice\n")).toEqual([]);
  });

  it("may have cells with the shop's own text about lines above the headings", () => {
    expect(problemsOf("title,description\nA,This line is above the headings.\n")).toEqual([]);
  });

  it.each([
    [",", "title;price;x,isbn", ["title;price;x", "isbn"]],
    [";", "title,price,x;isbn", ["title,price,x", "isbn"]],
    ["\t", "title,price,x\tisbn", ["title,price,x", "isbn"]],
    ["|", "title,price,x|isbn", ["title", "price", "x|isbn"]],
    [";;;", "title,price,x;isbn", ["title,price,x", "isbn"]],
  ])(
    "uses the separator that its first line declares, if the shop supports it: sep=%s",
    (sign, headings, cells) => {
      expect(read(`sep=${sign}\n${headings}\na,b\n`).headings).toEqual(cells);
    },
  );

  it.each(["a sep=;", "sep=;x"])("has no declared separator in the line %j", (line) => {
    expect(read(`${line}\ntitle,price,x;isbn\nA,5,b\n`).headings).toEqual(["title", "price", "x;isbn"]);
  });

  it("uses the separator of its headings, whatever is most frequent in a letterhead above them", () => {
    const text = "ACME, Ring Road, Accra, Ghana\nTitle;ISBN;Price\nA;X-1;5\n";
    expect(read(text).headings).toEqual(["Title", "ISBN", "Price"]);
  });

  it("with unknown headings uses the most frequent separator of its first line", () => {
    expect(read("\n\nWidget;Thing\na;b\n").headings).toEqual(["Widget", "Thing"]);
    expect(read("Widget,Thing\na,b\n").headings).toEqual(["Widget", "Thing"]);
  });

  it("has its headings in one of the first thirteen rows", () => {
    const table = (above: number) => read(`${"ACME;\n".repeat(above)}Title;Price\nA;5\n`).headings;
    expect(table(12)).toEqual(["Title", "Price"]);
    expect(table(13)).toEqual(["ACME", ""]);
  });

  it("is not taken for a workbook because of its first letter", () => {
    expect(read("Price,Title\n5,A\n").headings).toEqual(["Price", "Title"]);
  });

  it("counts as a list of rows left out only with both of its columns", () => {
    expect(read("Line,Title,Price\n1,A,5\n").headings).toEqual(["Line", "Title", "Price"]);
    expect(read("Line\nA\n").headings).toEqual(["Line"]);
    expect(read(" Line , Reason,Title\n1,a,A\n").headings).toEqual(["Title"]);
  });

  it("is read back unchanged from the list of its rows left out", () => {
    const repair =
      "Line,Reason,Title,Price\n1,This line is above the headings.,ACME,\n7,The price is missing.,A,5\n";
    expect(read(repair)).toEqual({
      encoding: "UTF-8",
      headings: ["Title", "Price"],
      rows: [
        {
          line: 2,
          cells: ["ACME", ""],
          problem: "This line is above the headings.",
          formerReason: "This line is above the headings.",
        },
        { line: 3, cells: ["A", "5"], formerReason: "The price is missing." },
      ],
    });
  });

  it.each([
    ["", "The file is empty."],
    ["title,price\n", "The file has headings and no rows."],
  ])("is refused with a message when it cannot be imported", (text, message) => {
    expect(() => read(text)).toThrow(new BookTableProblem(message));
  });
});
