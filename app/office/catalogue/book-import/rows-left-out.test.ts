import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { csvLine, rearmFormulas } from "#shared/tables/csv.ts";
import { columnOf, leftOutRow, leftOutWords, rowsLeftOutName, rowsLeftOutTable } from "./rows-left-out.ts";

test("The rows left out are a table with each row's line and reasons before the file's own columns", () => {
  const rows = [
    { line: 7, problems: ["The price is missing.", "The title is missing."], cells: ["", "a, b"] },
    { line: 9, problems: [], cells: ["c"] },
  ];
  expect(rowsLeftOutTable({ fileName: "books.csv", headings: ["Title", "Price"], rows })).toEqual({
    name: "books-to-repair",
    headings: ["Line", "Reason", "Title", "Price"],
    rows: [
      [7, "The price is missing. The title is missing.", "", "a, b"],
      [9, "", "c"],
    ],
  });
});

test("writes cells so that they are read as they were, with and without an export's apostrophes", () => {
  const exported = csvLine(["007", "9-11", "'1984", "=1+1"].map((literal) => ({ literal })));
  const cells = [...(parse(exported) as string[][]).flat(), "9-11", "12.50", "-5", "O'Brien"];
  const { rows } = rowsLeftOutTable({
    fileName: "books.csv",
    headings: [],
    rows: [{ line: 2, problems: [], cells }],
  });
  const [[, , ...repaired] = []] = parse(rows.map(csvLine).join("")) as string[][];
  expect(repaired.map(rearmFormulas)).toEqual(cells.map(rearmFormulas));
  expect(repaired.slice(0, 6)).toEqual(["'007", "'9-11", "''1984", "'=1+1", "9-11", "12.50"]);
});

test("writes the ISBNs of rows left out with hyphens, which a spreadsheet keeps, and other numbers as they are", () => {
  const cells = ["9789988990176", "978-9988-99-018-3", "9789988990170", "07-Sep", "45.00"];
  expect(leftOutRow({ line: 2, problems: [], cells }).slice(2)).toEqual([
    "978-9988-9901-7-6",
    "978-9988-99-018-3",
    "9789988990170",
    "07-Sep",
    "45.00",
  ]);
});

test.each([
  ["books.csv", "books-to-repair"],
  ["books", "books-to-repair"],
  ["my.books.2026.txt", "my.books.2026-to-repair"],
  ["books-to-repair.csv", "books-to-repair"],
  ["books-to-repair-2.csv", "books-to-repair"],
  ["books-to-repair-12.csv", "books-to-repair"],
  ["books-to-repair-old.csv", "books-to-repair-old-to-repair"],
  ["books-left-out-3.csv", "books-to-repair"],
])("%s is repaired in %s", (file, repaired) => {
  expect(rowsLeftOutName(file, "refused")).toBe(repaired);
});

test("names the file of lines that are not books after the same file", () => {
  expect(["books.csv", "books-to-repair-2.csv"].map((file) => rowsLeftOutName(file, "not_a_book"))).toEqual([
    "books-left-out",
    "books-left-out",
  ]);
});

test("says what was not imported, problems apart from lines that are not books", () => {
  const counts = { added: 3, updated: 1, unchanged: 0, refused: 0, not_books: 0 };
  expect(leftOutWords(counts)).toBe("");
  expect(leftOutWords({ ...counts, not_books: 1 })).toBe("1 line left out");
  expect(leftOutWords({ ...counts, refused: 1_000, not_books: 11 })).toBe(
    "1,000 rows with problems, 11 lines left out",
  );
});

test("A column has the cells that are not empty, with single spaces", () => {
  const rows = [
    { cells: ["a", "  Adom   Press\t1 "] },
    { cells: ["b"] },
    { cells: ["c", " "] },
    { cells: ["d", "CGP"] },
  ];
  expect(columnOf(rows, 1)).toEqual(["Adom Press 1", "CGP"]);
  expect(columnOf(rows, 0)).toEqual(["a", "b", "c", "d"]);
  expect(columnOf(rows, undefined)).toEqual([]);
});
