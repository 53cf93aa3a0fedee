import { describe, expect, it } from "vitest";
import { readBookImportRow } from "./book-import.ts";
import { mapBookImportColumns } from "./book-import-columns.ts";
import { readListState } from "./list-status.ts";
import { RowSorter, shapeOf } from "./row-kinds.ts";

const gone = { state: "last_copies", isOut: false };
const off = { state: "not_for_sale", isOut: false };
const later = { state: "coming_soon", isOut: false };
const onSale = { state: "on_sale", isOut: false };
const out = { state: "on_sale", isOut: true };

/** The cells of lines without quoted commas. */
const table = (text: string) => {
  const [headings = [], ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.replace(/"[^"]*"/g, "Mensah").split(","));
  return {
    mapping: mapBookImportColumns(headings),
    rows: rows.map((cells, at) => ({ line: at + 2, cells })),
  };
};

const readRows = (text: string) => {
  const { mapping, rows } = table(text);
  return rows.map((row) => readBookImportRow(row, mapping));
};

describe("what a list says of a title", () => {
  it.each([
    ["IP", "sale_state", onSale],
    ["In print", "sale_state", onSale],
    ["On sale", "sale_state", onSale],
    ["OP", "sale_state", gone],
    ["Out of  Print", "availability", gone],
    ["Not for sale", "sale_state", off],
    ["While stocks last", "sale_state", gone],
    ["Withdrawn", "sale_state", off],
    ["46", "availability", off],
    ["11", "sale_state", off],
    ["NYP", "sale_state", later],
    ["Not yet published", "sale_state", later],
    ["Coming soon", "sale_state", later],
    ["RP", "sale_state", out],
    ["Reprinting, due March", "sale_state", out],
    ["Temporarily out of stock", "availability", out],
    ["Out of stock indefinitely", "availability", gone],
    ["04", "sale_state", onSale],
    ["07", "sale_state", gone],
    ["02", "sale_state", later],
    ["20", "availability", onSale],
    ["31", "availability", out],
    ["40", "availability", gone],
    ["51", "availability", gone],
    ["10", "availability", later],
    ["10", "sale_state", gone],
    // A code without its zero, or a list's own.
    ["7", "sale_state", null],
    ["New", "sale_state", null],
    ["Reprint", "sale_state", null],
    ["", "sale_state", null],
  ] as const)("%s under %s: %j", (text, column, state) => {
    expect(readListState(text, column)).toEqual(state);
  });

  it("is asked about only where a code has one digit", () => {
    const { mapping, rows } = table(
      "Title,IDValue,PublishingStatus,ProductAvailability\nA,9789988990817,04,20\nB,9789988990824,07,40\nC,9789988990831,7,20\nD,9789988990848,2,20",
    );
    const sorter = new RowSorter(shapeOf(rows, mapping.columns), mapping.columns);
    expect(rows.map((row) => sorter.sort(row))).toEqual([
      null,
      null,
      { reason: "The list may say that it is out of print or no longer supplied.", isSure: false },
      { reason: "The list may say that it is not yet published.", isSure: false },
    ]);
  });

  it("becomes the state of every row of an ONIX message that was saved as a table", () => {
    const message = `RecordReference,ProductIDType,IDValue,ProductForm,TitleText,Subtitle,PersonNameInverted,ImprintName,PublishingStatus,PublicationDate,PriceType,PriceAmount,CurrencyCode,ProductAvailability
field.1,15,9789988990817,BC,Field Message Book 1,Pupil,"Mensah, Ama",Collins,04,20250901,02,9.99,GBP,20
field.2,15,9789988990824,BC,Field Message Book 2,Pupil,"Mensah, Ama",Collins,07,20190901,02,9.99,GBP,40`;
    expect(readRows(message).map(({ row }) => [row.sale_state, row.available_on])).toEqual([
      ["on_sale", undefined],
      ["last_copies", undefined],
    ]);
  });

  it("is coming soon with the list's date, and without copies unless the list has some", () => {
    const rows = readRows(
      "Title,Status,Publication date,Stock\nA,NYP,Jan 2027,\nB,NYP,05/06/2027,\nC,IP,2026-01-01,\nD,RP,,\nE,NYP,15/01/2027,4",
    );
    expect(rows.map(({ row }) => [row.sale_state, row.available_on, row.stock_quantity])).toEqual([
      ["coming_soon", "2027-01", 0],
      ["coming_soon", undefined, 0],
      ["on_sale", undefined, null],
      ["on_sale", undefined, 0],
      ["coming_soon", "2027-01-15", 4],
    ]);
    expect(rows[1]?.hints.map(({ message }) => message)).toEqual([
      "The date 05/06/2027 can't be read with certainty, so the book is coming soon without one.",
    ]);
  });

  it("changes nothing where the list has no such column, and is refused where an export's was mistyped", () => {
    expect(readRows("Title,Publication date\nA,2027-01-01")[0]?.row).not.toHaveProperty("sale_state");
    const own = readRows("ID,Title,Status\n3f2504e0-4f89-41d3-9a0c-0305e82c3301,A,Gone fishing");
    expect(own[0]?.row.problems).toEqual([
      "The status Gone fishing is not one of On sale, Coming soon, While stocks last, Not for sale.",
    ]);
  });
});
