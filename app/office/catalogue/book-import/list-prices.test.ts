import { describe, expect, it } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import { fc } from "#tests/support/properties.ts";
import { readBookImportRow } from "./book-import.ts";
import { mapBookImportColumns } from "./book-import-columns.ts";
import { readBookTable, type TableRow } from "./book-table.ts";
import { planOf } from "./list-plan.ts";
import { ListCurrencies, type ListMoney, readListedPrice } from "./list-prices.ts";

/** A list's currencies: what unnamed prices are in, how many prices are in which other, and the first of these. */
function currenciesOf(headings: string[], rows: Omit<TableRow, "line">[]) {
  const { columns } = mapBookImportColumns(headings);
  const list = new ListCurrencies(headings, columns);
  rows.forEach((row, at) => {
    list.add({ ...row, line: at + 2 });
  });
  return list;
}
const cells = (...rows: string[][]) => rows.map((row) => ({ cells: row }));
const foreign = (list: ListCurrencies, base = list.base ?? "?") => Object.fromEntries(list.foreign(base));

describe("a list's currency", () => {
  it.each([
    ["Price", "GHS", {}],
    ["Price (GH₵)", "GHS", {}],
    ["Price (£)", "GBP", { GBP: 2 }],
    ["RRP US$", "USD", { USD: 2 }],
    ["EUR", "EUR", { EUR: 2 }],
    ["Price GBP", "GBP", { GBP: 2 }],
  ])("is what the heading %s names: %s", (heading, base, counts) => {
    const list = currenciesOf(["Title", heading], cells(["Atlas", "12.99"], ["Globe", "8"]));
    expect(list.base).toBe(base);
    expect(foreign(list)).toEqual(counts);
  });

  it("is what each cell names, whatever the heading says", () => {
    const list = currenciesOf(
      ["Title", "Price (£)"],
      cells(["A", "£12.99"], ["B", "USD 8.00"], ["C", "GHS 45"], ["D", "7.50"], ["E", "12,50 €"]),
    );
    expect(foreign(list)).toEqual({ GBP: 2, USD: 1, EUR: 1 });
  });

  it("is what the row's own column names", () => {
    const list = currenciesOf(
      ["TitleText", "PriceAmount", "CurrencyCode", "Title"],
      cells(["", "9.99", "GBP", "A"], ["", "9.99", "GHS", "B"], ["", "9.99", "xyz", "C"]),
    );
    expect(foreign(list)).toEqual({ GBP: 1, XYZ: 1 });
  });

  it("is what a workbook's number format shows", () => {
    const list = currenciesOf(
      ["Title", "RRP"],
      [
        { cells: ["A", "12.99"], currencies: { 1: "USD" } },
        { cells: ["B", "1250"], currencies: { 1: "GBP" } },
      ],
    );
    expect(foreign(list)).toEqual({ USD: 1, GBP: 1 });
  });

  it.each([
    ["All prices in US Dollars", "USD"],
    ["EXPORT PRICE LIST (GBP)", "GBP"],
    ["Currency: EUR", "EUR"],
    ["USD", "USD"],
    ["Payment in GHS only", "GHS"],
    // It may be an address.
    ["Pounds Lane, London", null],
    ["We quote in pounds sterling.", null],
    ["Export Catalogue 2026 (US$)", null],
    ["£", null],
  ])("is what a line above the headings says of prices: %s", (line, base) => {
    const { headings, rows } = readBookTable(
      new TextEncoder().encode(`${line},,\nTitle,ISBN,Price\nAtlas,1,12.99\n`),
    );
    const list = new ListCurrencies(headings, mapBookImportColumns(headings).columns);
    for (const row of rows) list.add(row);
    expect(list.base).toBe(base);
  });

  it.each([
    ["the line of units", "Title,ISBN,Price\n,,(USD)\nA,9789988990114,45\nB,9789988990121,45\n", "USD"],
    ["a note at the end", "Title,ISBN,Price\nA,9789988990114,45\nAll prices are in GBP.,,\n", null],
    ["a heading of a section", "Title,ISBN,Price\nUK TITLES - PRICES IN £,,\nA,9789988990114,45\n", null],
    ["a sum", "Title,ISBN,Price\nA,9789988990114,45\nGrand total,,£45\n", null],
    ["a note about cedis", "Title,ISBN,Price\nA,9789988990114,45\nAll prices are in GHS.,,\n", "GHS"],
    ["a heading whose sign was lost", "Title,ISBN,Price (?)\nA,9789988990114,45\n", null],
  ])("is asked about where %s may say it", (_, text, base) => {
    const { headings, rows } = readBookTable(new TextEncoder().encode(text));
    const { columns } = mapBookImportColumns(headings);
    expect(planOf(rows, headings, columns).currencies.base).toBe(base);
  });

  it("is what a line of units below the headings says", () => {
    const list = currenciesOf(["Title", "Price"], cells(["", "USD"], ["A", "12.99"]));
    expect(list.base).toBe("USD");
    expect(foreign(list)).toEqual({ USD: 1 });
  });

  it("is unclear where the heading names several, unless every price names its own", () => {
    expect(currenciesOf(["Title", "Price (£/US$)"], cells(["A", "12.99"])).base).toBeNull();
    expect(currenciesOf(["Title", "Price (£/US$)"], cells(["A", "£12.99"])).base).toBe("GBP");
  });

  it("has the first ten prices as examples, in their order", () => {
    const rows = Array.from({ length: 30 }, (_, at) => [`Book ${at}`, at % 2 ? "£5" : "4"]);
    const list = currenciesOf(["Title", "Price"], cells(...rows));
    expect(list.examples("GHS").map(({ line, amount, currency }) => [line, amount, currency])).toEqual(
      Array.from({ length: 10 }, (_, at) => [3 + 2 * at, 500, "GBP"]),
    );
    expect(list.examples("USD").map(({ currency }) => currency)).toEqual(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? "GBP" : "USD")),
    );
  });
});

describe("a price that is not in cedis", () => {
  const mapping = mapBookImportColumns(["Title", "Price"]);
  const conversion = { rates: { GBP: 15.8 }, percent: 12, roundTo: 50 as Pesewas };
  const read = (price: string, money: ListMoney, more: Partial<TableRow> = {}) =>
    readBookImportRow({ line: 2, cells: ["Atlas", price], ...more }, mapping, undefined, money).row;

  it("is converted, and the list's own price stays on the row", () => {
    const row = { price: 230, source_price: 12.99, source_currency: "GBP", problems: [] };
    expect(read("12.99", { base: "GBP", conversion })).toMatchObject(row);
    expect(read("£12.99", { base: "GHS", conversion })).toMatchObject(row);
    expect(read("12,99 GBP", { base: "GHS", conversion })).toMatchObject(row);
    expect(read("12.99", { base: "GHS", conversion }, { currencies: { 1: "GBP" } })).toMatchObject(row);
  });

  it("is never taken for cedis", () => {
    expect(read("12.99", { base: "GBP", conversion: null })).toMatchObject({
      price: "12.99",
      problems: ["The price is in British pounds, for which no rate was given."],
    });
    expect(read("¥40", { base: "GHS", conversion }).problems).toEqual([
      "The price is in ¥, for which no rate was given.",
    ]);
    for (const two of ["£12 £10", "12 pounds 50"])
      expect(read(two, { base: "GHS", conversion }).problems).toEqual([
        `The price ${two} can be read in two ways. Write it as in 1234.50.`,
      ]);
    expect(read("£12 / $15", { base: "GHS", conversion }).problems).toEqual([
      "The price £12 / $15 names several currencies.",
    ]);
  });

  it("names its currency in a list of the rows left out", () => {
    expect(read("12.99", { base: "GBP", conversion }).cells).toEqual(["Atlas", "GBP 12.99"]);
    expect(read("£12.99", { base: "GBP", conversion }).cells).toEqual(["Atlas", "£12.99"]);
  });

  it("is in cedis where the row says so", () => {
    const row = read("GHS 45", { base: "GBP", conversion });
    expect(row).toMatchObject({ price: 45, problems: [] });
    expect(row).not.toHaveProperty("source_price");
  });

  it("is refused where it is more than the shop can hold", () => {
    expect(read("99999999", { base: "GBP", conversion }).problems).toEqual([
      "The price is more than the shop can hold.",
    ]);
  });
});

/** The pesewas in a cell's text, null if it isn't an amount, or why that is unclear. */
function readCedis(text: string): number | string | null {
  const reading = readListedPrice(text, { line: 2, cells: [text] }, { price: 0 }, "GHS");
  return reading.problem ?? reading.value.amount;
}

describe("a price as suppliers write it", () => {
  it.each([
    ["45", 45],
    ["45.5", 45.5],
    ["45,50", 45.5],
    ["45.00", 45],
    ["45.5000", 45.5],
    [".50", 0.5],
    ["0.500", 0.5],
    ["1,234", 1234],
    ["1,234.50", 1234.5],
    ["1.234,50", 1234.5],
    ["1.234.567,8", 1234567.8],
    ["1.234.567", 1234567],
    ["1 234,50", 1234.5],
    ["1\u00a0234,50", 1234.5],
    ["1'234.50", 1234.5],
    ["GH₵ 45", 45],
    ["GH₵1,234.50", 1234.5],
    ["GHS45.00", 45],
    ["ghs 45,00", 45],
    ["GH¢45", 45],
    ["GH? 45.00", 45],
    ["45.00 GHS", 45],
    ["45 cedis", 45],
    ["₵45", 45],
    ["45/=", 45],
    ["45.-", 45],
  ])("%j is %d", (text, price) => {
    expect(readCedis(text)).toBe(Math.round(price * 100));
  });

  it.each(["1.234", "GHS 12.500"])("%j is refused, because it can be read in two ways", (text) => {
    expect(readCedis(text)).toMatch("can be read in two ways");
  });

  it.each(["cheap", "-1", "45-50", "1,23,4", "1.2.3", ".", "FREE", "TBC"])("%j is not one", (text) => {
    expect(readCedis(text)).toBeNull();
  });

  it("may have a mark of a footnote", () => {
    expect(readCedis("GH₵45.00*")).toBe(4500);
  });

  it("is read from every common way of writing it", () => {
    const pesewas = fc.integer({ min: 0, max: 99_999_999 });
    const marks = fc.constantFrom(["", "."], ["", ","], [",", "."], [".", ","], [" ", ","], ["'", "."]);
    const signs = fc.constantFrom("", "GH₵", "GHS ", "₵ ");
    fc.assert(
      fc.property(pesewas, marks, signs, (amount, [thousands, decimal], sign) => {
        const whole = String(Math.trunc(amount / 100)).replace(/\B(?=(\d{3})+$)/g, thousands ?? "");
        const text = `${sign}${whole}${decimal}${String(amount % 100).padStart(2, "0")}`;
        expect(readCedis(text)).toBe(amount);
      }),
    );
  });
});
