import { expect, test } from "vitest";
import { columnOf, rowsLeftOutName, rowsLeftOutTable } from "./rows-left-out.ts";

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

test.each([
  ["books.csv", "books-to-repair"],
  ["books", "books-to-repair"],
  ["my.books.2026.txt", "my.books.2026-to-repair"],
  ["books-to-repair.csv", "books-to-repair"],
  ["books-to-repair-2.csv", "books-to-repair"],
  ["books-to-repair-12.csv", "books-to-repair"],
  ["books-to-repair-old.csv", "books-to-repair-old-to-repair"],
])("%s is repaired in %s", (file, repaired) => {
  expect(rowsLeftOutName(file)).toBe(repaired);
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
