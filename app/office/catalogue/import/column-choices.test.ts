import { describe, expect, it } from "vitest";
import {
  bookImportColumns,
  mapBookImportColumns,
} from "#app/office/catalogue/book-import/book-import-columns.ts";
import {
  bookColumnNames,
  chooseColumn,
  exampleRows,
  mappingOf,
  missingColumn,
  suggestBookColumns,
  suggestChoices,
  undecidedColumns,
} from "./column-choices.ts";

const suggest = (headings: string[]) => suggestChoices(headings, bookImportColumns);
const headings = ["Qty", "VAT code", "Book title", "ISBN-13"];

describe("the columns of a table of books", () => {
  it("are not chosen between where several mean the same, until somebody does", () => {
    const headings = ["ISBN", "Title", "Price", "Price"];
    const { choices, doubles } = suggestBookColumns(headings);
    expect(choices).toEqual(["isbn", "title", null, null]);
    expect(undecidedColumns(doubles, choices, headings)).toBe(
      "Several columns may be “Price”: Price (column 3), Price (column 4). Choose one of them.",
    );
    expect(undecidedColumns(doubles, chooseColumn(choices, 3, "price"), headings)).toBeNull();
  });

  it("are proposed without those that are hidden", () => {
    const { choices, doubles } = suggestBookColumns(["Title", "Price", "Price", "Stock"], [1, 3]);
    expect(choices).toEqual(["title", null, "price", null]);
    expect(doubles).toEqual([]);
  });
});

describe("the examples of the columns", () => {
  const row = (line: number, cells: string[], more = {}) => ({ line, cells, ...more });

  it("are the first rows that may be books, not what stands above the headings, hidden rows and headings of sections", () => {
    const rows = [
      row(1, ["KANESHIE BOOKS", ""], { problem: "This line is above the headings." }),
      row(3, ["LOWER PRIMARY", " "]),
      row(4, ["Reader 1", "45"]),
      row(5, ["Reader 2", "45"], { hidden: true }),
      row(6, ["Reader 3", "45"]),
      row(7, ["Reader 4", "45"]),
      row(8, ["Reader 5", "45"]),
    ];
    expect(exampleRows(rows).map(({ line }) => line)).toEqual([4, 6, 7]);
  });

  it("are the first rows of a list of ISBNs alone", () => {
    const rows = ["a", "b", "c", "d"].map((cell, at) => row(at + 2, [cell]));
    expect(exampleRows(rows).map(({ line }) => line)).toEqual([2, 3, 4]);
  });
});

describe("the meaning of the columns", () => {
  it("is suggested by the headings", () => {
    expect(suggest(headings)).toEqual(["stock_quantity", null, "title", "isbn"]);
    expect(mappingOf(suggest(headings), headings)).toEqual(mapBookImportColumns(headings));
  });

  it("can be chosen by hand, each field by one column only", () => {
    const chosen = chooseColumn(suggest(headings), 1, "title");
    expect(chosen).toEqual(["stock_quantity", "title", null, "isbn"]);
    expect(chooseColumn(chosen, 0, null)).toEqual([null, "title", null, "isbn"]);
    expect(mappingOf(chosen, headings)).toEqual({
      columns: { stock_quantity: 0, title: 1, isbn: 3 },
      ignored: ["Book title"],
      width: 4,
    });
  });

  it("must include a title or an ISBN: a price list may have no titles", () => {
    expect(missingColumn(["isbn", "price"])).toBeNull();
    expect(missingColumn(["title"])).toBeNull();
    expect(missingColumn([null, "id"])).toBeNull();
    for (const choices of [["price", null], []] as const)
      expect(missingColumn(choices)).toBe(
        "Say which column is the title or the ISBN. New books need a title; books of the shop are found by their ISBN.",
      );
  });

  it("is offered under the page's labels, a price in any currency, the shop's own ids last", () => {
    const labels = Object.fromEntries(bookColumnNames.map(({ name, label }) => [name, label]));
    expect(labels).toMatchObject({ title: "Title", price: "Price", id: "ID (from an export)" });
    expect(bookColumnNames.at(-1)?.name).toBe("id");
    expect(suggest(["id", "title"])).toEqual(["id", "title"]);
  });
});
