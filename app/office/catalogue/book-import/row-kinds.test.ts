import { describe, expect, it } from "vitest";
import { mapBookImportColumns } from "./book-import-columns.ts";
import { readBookTable } from "./book-table.ts";
import { RowSorter, shapeOf } from "./row-kinds.ts";

/** What each line of a list is: '' for a book. */
function kindsOf(text: string): Record<number, string> {
  const { headings, rows } = readBookTable(new TextEncoder().encode(text));
  const { columns } = mapBookImportColumns(headings);
  const sorter = new RowSorter(shapeOf(rows, columns), columns);
  return Object.fromEntries(
    rows.map((row) => {
      const doubt = sorter.sort(row);
      return [row.line, doubt === null ? "" : `${doubt.isSure ? "" : "? "}${doubt.reason}`];
    }),
  );
}

const sum = "This is a sum, not a book.";
const heading = "This is a heading, not a book.";
const note = "This is a note, not a book.";
const above = "This line is above the headings.";

describe("the rows of a wholesaler's list", () => {
  it("are books between headings, sums and notes", () => {
    const list = [
      "KANESHIE BOOKS LTD,,,,",
      "Price list no. 7,,,,as at 01/11/2026",
      "",
      "Title,ISBN,Publisher,Price,",
      "(as on cover),,,GHS,Remarks",
      "LOWER PRIMARY,,,,",
      "Reader 1,9789988990114,Collins,GHS 45.00,",
      'Reader 2,9789988990121,Collins,"45,00",',
      "Reader 3,9789988990138,Collins,GH₵45.00*,new",
      "Sub-total Lower Primary,,,135.00,",
      "UPPER PRIMARY,,,,",
      'Reader Box,9789988990145,Collins,"1.234,50",',
      "Reader Poster,9789988990169,Collins,¢ 7.5,",
      "Reader Free Sample,9789988990176,Collins,FREE,",
      "Wall Chart,,Collins,12.00,",
      "Total English Poster,,,11.00,",
      "Carried forward,,,1242.00,",
      "TOTAL (GHS),,,1389.00,",
      "Grand Total:,,,1389.00,",
      "Prices are subject to change without notice. E.&O.E.,,,,",
      "Bank: GCB 1010101010101,,,,",
      "Bank,GCB,1010101010101,,",
    ].join("\n");
    expect(kindsOf(list)).toEqual({
      1: above,
      2: above,
      5: "This is a second line of headings.",
      6: heading,
      7: "",
      8: "",
      9: "",
      10: sum,
      11: heading,
      12: "",
      13: "",
      14: "",
      15: "",
      16: "? This may be a sum, not a book.",
      17: sum,
      18: sum,
      19: "This looks like a line of totals, not a book.",
      20: note,
      21: note,
      // Something stands under ISBN, so only a person can tell.
      22: "? This may be a note, not a book.",
    });
  });

  it("are sums where a price is that of all above, and nothing else is there", () => {
    const books = "A,9789988990114,10\nB,9789988990121,20\nC,9789988990138,12.50\n";
    expect(kindsOf(`Title,ISBN,Price\n${books},,42.50\n`)[5]).toBe(sum);
    expect(kindsOf(`Title,ISBN,Price\n${books}Everything,,42.50\n`)[5]).toBe(
      "? This may be a sum, not a book: its price is the sum of those above.",
    );
    expect(kindsOf(`Title,ISBN,Price\n${books}A poster,,15\n`)[5]).toBe("");
  });

  it("may have their years or units under the headings", () => {
    const list = "ISBN,Title,Publisher,Price,Qty\n,,,2026,\n9789988990510,Atlas 1,Collins,40,3\n";
    expect(kindsOf(list)).toEqual({ 2: "This is a second line of headings.", 3: "" });
  });

  it("are books without ISBN, publisher or price where no row has them", () => {
    const list = "Title,ISBN,Price\nReader 1,,\nReader 2,,\nReader 3,,\nReader 4,,\n";
    expect(kindsOf(list)).toEqual({ 2: "", 3: "", 4: "", 5: "" });
  });

  it("are asked about where only one thing is missing", () => {
    const list = "Title,Price\nReader 1,5\nReader 2,6\nReader 3,7\nReader 4,\n";
    expect(kindsOf(list)[5]).toBe("? This may be a heading, not a book.");
  });

  it("are books where they have an ISBN, whatever their title says, and asked about with an author alone", () => {
    const list =
      "Title,ISBN,Author,Price\nTotal Maths,9789988990114,Ama,5\nGrand Total,9789988990121,Esi,6\nSub-total,,Yaw,7\n";
    expect(kindsOf(list)).toEqual({ 2: "", 3: "", 4: "? This may be a sum, not a book." });
  });
});

it("a row that its workbook hides is left out, unless hidden rows are taken", () => {
  const columns = { title: 0, price: 1 };
  const rows = [
    { line: 2, cells: ["A", "5"] },
    { line: 3, cells: ["B", "6"], hidden: true as const },
  ];
  const kinds = (takesHidden: boolean) => {
    const sorter = new RowSorter(shapeOf(rows, columns), columns, takesHidden);
    return rows.map((row) => sorter.sort(row)?.reason);
  };
  expect(kinds(false)).toEqual([undefined, "This row is hidden in the workbook."]);
  expect(kinds(true)).toEqual([undefined, undefined]);
});

describe("lines that only a person can tell from books", () => {
  const books = Array.from({ length: 4 }, (_, at) => `Reader ${at},97899889901${at}4,Collins,10,5`).join(
    "\n",
  );
  const may = "? This may be a sum, not a book.";
  it.each([
    ["Delivery,,,50,", "? This may be a charge or a discount, not a book."],
    ["VAT 15%,,,81,", "? This may be a charge or a discount, not a book."],
    ["Total English,,,,12", may],
    ["Note Book 80 leaves,,,,300", "? This may be a note, not a book."],
    ["Exercise Book,,,,300", "? This may not be a book: it lacks what the other rows have."],
    ["Total 1,9789988990015,,45,1", ""],
  ])("%s", (line, kind) => {
    expect(kindsOf(`Title,ISBN,Publisher,Price,Stock\n${books}\n${line}\n`)[6]).toBe(kind);
  });

  it("are found behind a number, in lists without ISBNs and where titles out of print are part of the sum", () => {
    expect(kindsOf("No,Title,Price\n1,A,10\n2,B,20\n3,C,30\n4,Sub-total Primary,60\n")[5]).toBe(
      "This is a sum, not a book.",
    );
    expect(kindsOf("Title,Price\nA,10\nB,20\nC,30\nTotal for Primary,60\n")[5]).toBe(may);
    expect(kindsOf("Format,Title,Price\nCD,Listening Skills,45\nBD,Film,30\nCD,Songs,20\n")[2]).toBe("");
    const list =
      "Title,ISBN,Price,Status\nA,9789988990114,45,IP\nB,9789988990121,50,OOP\nC,9789988990138,40,IP\n";
    expect(kindsOf(`${list}LOWER PRIMARY,,135,\n`)[5]).toBe(
      "? This may be a sum, not a book: its price is the sum of those above.",
    );
    expect(
      kindsOf("Title,ISBN,Price\nField Dictionary,,TBC\nA,9789988990114,5\nB,9789988990121,5\n")[2],
    ).toBe("");
  });
});

it("the heading above a book is its section until the next sum or heading", () => {
  const text =
    "Title,ISBN,Price\nLOWER PRIMARY:,,\nA,9789988990114,10\nB,9789988990121,20\nSub-total,,30\nC,9789988990138,5\nJHS 1,,\nD,9789988990145,5\n";
  const { headings, rows } = readBookTable(new TextEncoder().encode(text));
  const { columns } = mapBookImportColumns(headings);
  const sorter = new RowSorter(shapeOf(rows, columns), columns);
  const sections = rows.map((row) => {
    sorter.sort(row);
    return [row.cells[0], sorter.section];
  });
  expect(sections).toEqual([
    ["LOWER PRIMARY:", "Lower Primary"],
    ["A", "Lower Primary"],
    ["B", "Lower Primary"],
    ["Sub-total", null],
    ["C", null],
    ["JHS 1", "JHS 1"],
    ["D", "JHS 1"],
  ]);
});
