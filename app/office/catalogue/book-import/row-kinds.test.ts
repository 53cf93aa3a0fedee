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
      22: "",
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

  it("are books where they have an ISBN or an author, whatever their title says", () => {
    const list =
      "Title,ISBN,Author,Price\nTotal Maths,9789988990114,Ama,5\nGrand Total,9789988990121,Esi,6\nCarried Forward,,Yaw,7\n";
    expect(kindsOf(list)).toEqual({ 2: "", 3: "", 4: "" });
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
