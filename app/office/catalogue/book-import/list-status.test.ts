import { describe, expect, it } from "vitest";
import { mapBookImportColumns } from "./book-import-columns.ts";
import { readListStatus } from "./list-status.ts";
import { RowSorter, shapeOf } from "./row-kinds.ts";

describe("what a list says of a title", () => {
  it.each([
    ["IP", "status", null],
    ["In print", "status", null],
    ["OP", "status", "gone"],
    ["Out of  Print", "availability", "gone"],
    ["NYP", "status", "later"],
    ["Not yet published", "status", "later"],
    ["RP", "status", null],
    ["04", "status", null],
    ["4", "status", null],
    ["07", "status", "gone"],
    ["7", "status", "gone"],
    ["02", "status", "later"],
    ["20", "availability", null],
    ["31", "availability", null],
    ["40", "availability", "gone"],
    ["51", "availability", "gone"],
    ["10", "availability", "later"],
    ["10", "status", "gone"],
    ["", "status", null],
  ] as const)("%s under %s: %j", (text, column, status) => {
    expect(readListStatus(text, column)).toBe(status);
  });

  it("is asked about where it is not for sale", () => {
    const headings = ["Title", "IDValue", "PublishingStatus", "ProductAvailability"];
    const { columns } = mapBookImportColumns(headings);
    const rows = [
      ["Message Book 1", "9789988990817", "04", "20"],
      ["Message Book 2", "9789988990824", "07", "40"],
      ["Message Book 3", "9789988990831", "02", "10"],
    ].map((cells, at) => ({ line: at + 2, cells }));
    const sorter = new RowSorter(shapeOf(rows, columns), columns);
    expect(rows.map((row) => sorter.sort(row))).toEqual([
      null,
      { reason: "The list says that it is out of print or no longer supplied.", isSure: false },
      { reason: "The list says that it is not yet published.", isSure: false },
    ]);
  });
});
