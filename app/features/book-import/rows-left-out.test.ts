import { expect, test } from "vitest";
import { columnOf, rowsLeftOutFile, rowsLeftOutName } from "./rows-left-out.ts";

test("The rows left out are a table with each row's line and reasons before the file's own columns", () => {
  const rows = [
    { line: 7, problems: ["The price is missing.", "The title is missing."], cells: ["", "a, b"] },
    { line: 9, problems: [], cells: ["c"] },
  ];
  expect(rowsLeftOutFile({ headings: ["Title", "Price"], rows })).toBe(
    '\uFEFFLine,Reason,Title,Price\r\n7,The price is missing. The title is missing.,,"a, b"\r\n9,,c\r\n',
  );
});

test.each([
  ["books.csv", "books-to-repair.csv"],
  ["books", "books-to-repair.csv"],
  ["my.books.2026.txt", "my.books.2026-to-repair.csv"],
  ["books-to-repair.csv", "books-to-repair.csv"],
  ["books-to-repair-2.csv", "books-to-repair.csv"],
  ["books-to-repair-12.csv", "books-to-repair.csv"],
  ["books-to-repair-old.csv", "books-to-repair-old-to-repair.csv"],
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
