import { describe, expect, it } from "vitest";
import { bookFieldNames } from "#app/features/books/book-fields.ts";
import { detectDelimiter, findDoubleColumns, mapBookImportColumns } from "./book-import-columns.ts";

describe("the headings of an imported table", () => {
  it("are found in any order, case and spelling", () => {
    const mapping = mapBookImportColumns([
      "Qty",
      "Price (GH₵)",
      "BOOK TITLE",
      "ISBN-13",
      "Grade Level",
      "Bin Location",
      "VAT code",
    ]);
    expect(mapping).toEqual({
      columns: { stock_quantity: 0, price: 1, title: 2, isbn: 3, grade_level: 4, shelf: 5 },
      ignored: ["VAT code"],
      width: 7,
    });
  });

  it("may be the fields' own names, so that an export can be imported", () => {
    const { columns, ignored } = mapBookImportColumns(bookFieldNames);
    expect(ignored).toEqual([]);
    bookFieldNames.forEach((field, place) => {
      expect(columns[field], field).toBe(place);
    });
  });

  it("prefer the ISBN-13 to the ISBN-10 when a table has both", () => {
    expect(mapBookImportColumns(["isbn10", "isbn13", "title"]).columns).toEqual({ isbn: 1, title: 2 });
  });

  it("include authors, but not ratings, which come from readers", () => {
    const mapping = mapBookImportColumns(["isbn", "title", "authors", "average_rating", "ratings_count"]);
    expect(mapping.columns).toEqual({ isbn: 0, title: 1, authors: 2 });
    expect(mapping.ignored).toEqual(["average_rating", "ratings_count"]);
  });

  it.each([
    ...[
      "Price (GH₵)",
      "Price in GHS",
      "Price GHC",
      "Price (GH)",
      "Price in Ghana Cedis",
      "Price cedi",
      "RRP",
    ],
    ...[
      "Price incl. VAT",
      "Price inc VAT",
      "RRP excl. VAT",
      "RRP exc VAT",
      "Amount (GHS) VAT",
      "Unit Price, cedis",
    ],
    ...[
      "Price (£)",
      "RRP US$",
      "UK RRP",
      "PriceUSD",
      "Price GBP",
      "Price in Euros",
      "EUR",
      "Cedis",
      "PriceAmount",
    ],
  ])("name the price %s", (heading) => {
    expect(mapBookImportColumns(["title", heading]).columns).toEqual({ title: 0, price: 1 });
  });

  it.each(["Price in each", "Price VAT code", "VAT", "Weight (g)", "Price GHX"])(
    "do not name the price %s",
    (heading) => {
      expect(mapBookImportColumns(["title", heading])).toMatchObject({
        columns: { title: 0 },
        ignored: [heading],
      });
    },
  );

  it("may be those of an ONIX message as a table", () => {
    const headings =
      "RecordReference,ProductIDType,IDValue,ProductForm,TitleText,Subtitle,PersonNameInverted,ImprintName,PublishingStatus,PublicationDate,PriceType,PriceAmount,CurrencyCode,ProductAvailability";
    expect(mapBookImportColumns(headings.split(",")).columns).toEqual({
      isbn: 2,
      title: 4,
      subtitle: 5,
      authors_inverted: 6,
      publisher: 7,
      sale_state: 8,
      available_on: 9,
      price: 11,
      currency: 12,
      availability: 13,
    });
  });

  it("are reported when their column is not read, unless they are empty", () => {
    expect(mapBookImportColumns(["title", "", " ", " VAT code "])).toEqual({
      columns: { title: 0 },
      ignored: [" VAT code "],
      width: 4,
    });
  });

  it.each([
    [["Title", "Price", "Price"], [{ name: "price", places: [1, 2] }]],
    [["Title", "Trade", "RRP", "List Price (£)"], [{ name: "price", places: [2, 3] }]],
    [["Title", "Title", "Price"], [{ name: "title", places: [0, 1] }]],
    [["Title", "ISBN13", "ISBN10", "Price"], []],
    [["Title", "", "", "Price"], []],
  ])("that mean the same are found in %j", (headings, doubles) => {
    expect(findDoubleColumns(headings, mapBookImportColumns(headings))).toEqual(doubles);
  });

  it.each([
    ["title,price", ","],
    ['"a, b, c, d";price', ";"],
    ["a\tb\tc,d;e;f", ";"],
    ["a\tb\tc,d,e;f", ","],
    ["a\tb\tc,d;e", "\t"],
    ["title;price;isbn", ";"],
    ["title\tprice\tisbn", "\t"],
    ['"title, long, and; odd";price;isbn', ";"],
    ["title", ","],
  ])("of %j are separated by %j", (line, delimiter) => {
    expect(detectDelimiter(line)).toBe(delimiter);
  });
});
