import { describe, expect, it } from "vitest";
import { mapBookImportColumns } from "#app/features/books/book-import-columns.ts";
import { chooseColumn, mappingOf, missingColumn, suggestChoices } from "./column-choices.ts";

const headings = ["Qty", "Shelf", "Book title", "ISBN-13"];

describe("what the columns are taken for", () => {
  it("is suggested by the headings", () => {
    expect(suggestChoices(headings)).toEqual(["stock_quantity", null, "title", "isbn"]);
    expect(mappingOf(suggestChoices(headings), headings)).toEqual(mapBookImportColumns(headings));
  });

  it("is chosen by hand, each thing by one column alone", () => {
    const chosen = chooseColumn(suggestChoices(headings), 1, "title");
    expect(chosen).toEqual(["stock_quantity", "title", null, "isbn"]);
    expect(chooseColumn(chosen, 0, null)).toEqual([null, "title", null, "isbn"]);
    expect(mappingOf(chosen, headings)).toEqual({
      columns: { stock_quantity: 0, title: 1, isbn: 3 },
      ignored: ["Book title"],
      width: 4,
    });
  });

  it("needs a title or an ISBN: a price list may have no titles", () => {
    expect(missingColumn(["isbn", "price"])).toBeNull();
    expect(missingColumn(["title"])).toBeNull();
    expect(missingColumn(["price", null])).toMatch(/title or the ISBN/);
  });
});
