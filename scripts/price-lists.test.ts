import { describe, expect, it } from "vitest";
import { noSpellings } from "#app/features/publishers/publisher-spelling.ts";
import type { BookImportRow } from "#app/office/catalogue/book-import/book-import.ts";
import {
  bookImportColumns,
  findDoubleColumns,
  mapBookImportColumns,
} from "#app/office/catalogue/book-import/book-import-columns.ts";
import { type BookTable, readBookTable } from "#app/office/catalogue/book-import/book-table.ts";
import { type ListChoices, planOf, readListRow } from "#app/office/catalogue/book-import/list-plan.ts";
import type { PriceConversion } from "#app/office/catalogue/book-import/price-conversion.ts";
import { leftOutHeadings, leftOutRow } from "#app/office/catalogue/book-import/rows-left-out.ts";
import { readTableFile } from "#app/office/catalogue/book-import/workbook-table.ts";
import type { Pesewas } from "#shared/text/money.ts";
import { makeWorkbook } from "#tests/support/make-workbook.ts";

/* Lists as publishers, wholesalers and schools send them, with the right value for every row. */

type Choices = Partial<ListChoices> & { takesHidden?: boolean };

/** Ten cedis for one of any currency, so that prices stay readable. */
const rates = { GBP: 10, USD: 10, EUR: 10, NGN: 10, INR: 10, ZAR: 10, HKD: 10, SEK: 10, KES: 10, XOF: 10 };
const tenfold: PriceConversion = { rates, percent: 0, roundTo: 1 as Pesewas };

/** What the plan asks, and what becomes of each line. */
function readList(content: string | BookTable, choices: Choices = {}) {
  const table = typeof content === "string" ? readBookTable(new TextEncoder().encode(content)) : content;
  const { headings, rows } = table;
  const mapping = mapBookImportColumns(headings);
  const plan = planOf(rows, headings, mapping.columns, choices.takesHidden);
  const base = choices.base ?? plan.currencies.base ?? "unclear";
  const sorter = plan.sorter();
  const read = rows.map(
    (row) =>
      readListRow(row, sorter, mapping, noSpellings, {
        conversion: tenfold,
        takesUnsure: false,
        sectionField: null,
        ...choices,
        base,
      }).row,
  );
  return { read, headings, base, doubles: findDoubleColumns(headings, mapping).map(({ name }) => name) };
}

/** '9789988990114 Reader 1 45.00', '- why it is left out', '! its problem'. */
function inWords(row: BookImportRow): string {
  if (row.not_a_book) return `- ${row.problems.join(" ")}`;
  if (row.problems.length > 0) return `! ${row.problems.join(" ")}`;
  const { isbn, title, price, grade_level, stock_quantity, source_price, source_currency } = row;
  const source = source_currency === undefined ? [] : [`(${source_currency} ${source_price})`];
  const stock = stock_quantity === undefined || stock_quantity === null ? [] : [`×${stock_quantity}`];
  return [isbn, title, price, ...source, ...stock, grade_level].filter(Boolean).join(" ");
}

const sheetRow = (line: number, cells: readonly string[], isHidden = false) =>
  `<row r="${line}"${isHidden ? ' hidden="1"' : ""}>${cells
    .map((text, at) => (text === "" ? "" : `<c r="${"ABCDEF"[at]}${line}" t="str"><v>${text}</v></c>`))
    .join("")}</row>`;

async function readSheet(rows: string, formats: readonly string[] = []): Promise<BookTable> {
  const bytes = await makeWorkbook({ List: `<sheetData>${rows}</sheetData>` }, formats);
  return (await readBytes(bytes)) as BookTable;
}

const readBytes = (bytes: Uint8Array, sheet?: string) =>
  readTableFile(bytes, { known: bookImportColumns, maxRows: 1_000, sheet });

/** The lines after the headings, in words. */
const linesOf = (content: string | BookTable, choices?: Choices) =>
  readList(content, choices).read.map(inWords);

const A = "9789988990114";
const B = "9789988990121";
const C = "9789988990138";
const above = "- This line is above the headings.";
const sum = "- This is a sum, not a book.";
const heading = "- This is a heading, not a book.";
const totals = "- This looks like a line of totals, not a book.";
const charge = "! This may be a charge or a discount, not a book.";
const note = "- This is a note, not a book.";

describe("A price list's currency", () => {
  it.each([
    ["Price (£)", "GBP"],
    ["RRP US$", "USD"],
    ["EUR", "EUR"],
    ["UK RRP", "GBP"],
    ["Price UK", "GBP"],
    ["Price in GB Pounds", "GBP"],
    ["PriceUSD", "USD"],
    ["Unit Price (₦)", "NGN"],
    ["List price HK$", "HKD"],
    ["Rate (Rs.)", "INR"],
    ["Price SEK", "SEK"],
    ["Price (GH₵)", "GHS"],
    ["Price (GHS)", "GHS"],
    ["Unit Price (GH?)", "GHS"],
    ["Unit Price", "GHS"],
    ["Price (?)", "unclear"],
    ["Price £/US$", "unclear"],
  ])("is that of its heading: %s", (title, base) => {
    expect(readList(`Title,ISBN,${title}\nA,${A},12\n`).base).toBe(base);
  });

  it.each(["Currency", "Cur", "CCY", "Price Ccy", "RRP Currency", "Currency Code", ""])(
    "is that of its own column, row by row: %s",
    (name) => {
      const list = `Title,ISBN,Price,${name}\nA,${A},12,GBP\nB,${B},12,US$\nC,${C},12,GHS\n`;
      expect(linesOf(list)).toEqual([`${A} A 120 (GBP 12)`, `${B} B 120 (USD 12)`, `${C} C 12`]);
    },
  );

  it.each([
    ["UK", "120 (GBP 12)"],
    ["gb", "120 (GBP 12)"],
    ["USA", "120 (USD 12)"],
    ["Ghana", "12"],
    ["-", "12"],
    ["sek", "120 (SEK 12)"],
  ])("is understood where its column has %s", (cell, price) => {
    expect(linesOf(`Title,Price,Currency\nA,12,${cell}\n`)).toEqual([`A ${price}`]);
  });

  it.each([
    ["GBp", "The price is in pence (GBp). Write it in pounds."],
    ["pence", "The price is in pence (pence). Write it in pounds."],
    ["GBP/USD", "The currency GBP/USD may be one of several. Write one."],
    ["retail", "The currency retail is not known. Write its code, such as GBP."],
  ])("is refused where its column has %s", (cell, problem) => {
    expect(linesOf(`Title,Price,Currency\nA,12,${cell}\n`)).toEqual([`! ${problem}`]);
  });

  it("is a sign in the column before the price", () => {
    const list = `ISBN,Title,,Price\n${A},A,£,12\n${B},B,€,12\n${C},C,,12\n`;
    expect(linesOf(list)).toEqual([`${A} A 120 (GBP 12)`, `${B} B 120 (EUR 12)`, `${C} C 12`]);
  });

  it("is asked for where a sign was lost in a cell, and then taken", () => {
    const list = `Title,ISBN,Price\nA,${A},?12.00\nB,${B},?8.50\n`;
    expect(readList(list).base).toBe("unclear");
    expect(linesOf(list, { base: "GBP" })).toEqual([`${A} A 120 (GBP 12)`, `${B} B 85 (GBP 8.5)`]);
  });

  it("is that of a line above, of a line of units, or asked for where a note has another", () => {
    const rows = `Title,ISBN,Publisher,Price\nA,${A},C,12\nB,${B},C,8\nC,${C},C,5\n`;
    expect(readList(`ACME BOOKS,,,\nAll prices in US Dollars,,,\n${rows}`).base).toBe("USD");
    expect(readList(rows.replace("Price\n", "Price\n,,,(GBP)\n")).base).toBe("GBP");
    expect(readList(`${rows}Payments in £ to Barclays Bank,,,\n`).base).toBe("unclear");
  });
});

describe("A price list's prices", () => {
  it.each([
    ["45", "45"],
    ["GH₵ 1,234.50", "1234.5"],
    ["1.234,50", "1234.5"],
    ["1 234,50", "1234.5"],
    ["45/=", "45"],
    ["GHS45*", "45"],
    ["45 50", "! The price 45 50 can be read in two ways. Write it as in 1234.50."],
    ["£12 | £10", "! The price £12 | £10 can be read in two ways. Write it as in 1234.50."],
    ["£12 US$15", "! The price £12 US$15 names several currencies."],
  ])("are read as they are meant: %s", (text, expected) => {
    const [line] = linesOf(`Title;Price\nA;${text}\n`);
    expect(line).toBe(expected.startsWith("!") ? expected : `A ${expected}`);
  });

  it("are asked about where an invoice has a rate and an amount", () => {
    expect(readList(`Title,ISBN,Qty,Rate,Amount\nA,${A},3,15,45\n`).doubles).toEqual(["price"]);
    expect(linesOf(`Title,ISBN,Qty,Rate\nA,${A},3,15\n`)).toEqual([`${A} A 15 ×3`]);
  });

  it("are asked about where two columns have the same heading", () => {
    expect(readList(`Title,ISBN,Price,Price\nA,${A},40,55\n`).doubles).toEqual(["price"]);
  });
});

describe("A price list's lines", () => {
  it("are books between sums, pages and sections", () => {
    const list = [
      "VOLTA BOOKS LTD,,,",
      "Title,ISBN,Publisher,Price",
      "LOWER PRIMARY:,,,",
      `Reader 1,${A},Volta,45.00`,
      "Carried forward,,,45.00",
      "VOLTA BOOKS LTD,,,",
      "Title,ISBN,Publisher,Price",
      "Brought forward,,,45.00",
      `Reader 2,${B},Volta,55.00`,
      "Sub-total,,,100.00",
      "JHS 1 (continued),,,",
      `Reader 3,${C},Volta,20.00`,
      "VAT 15%,,,18.00",
      "TOTAL,,,138.00",
      "Bank:,GCB,Accra Main,",
      "Account no.,1010101010101,,",
      "Thank you for your business.,,,",
    ].join("\n");
    expect(linesOf(list, { sectionField: "grade_level" })).toEqual([
      above,
      heading,
      `${A} Reader 1 45 Lower Primary`,
      sum,
      note,
      "- The headings are repeated here.",
      sum,
      `${B} Reader 2 55 Lower Primary`,
      totals,
      heading,
      `${C} Reader 3 20 JHS 1`,
      charge,
      totals,
      "! This may be a note, not a book.",
      "! This may be a note, not a book.",
      note,
    ]);
  });

  it("are asked about where a list of titles and prices alone ends in charges", () => {
    const list =
      "Title,Price\nTransport and Communication,20\nBalance in Nature,12\nLess Is More,8\nSub-total,40\nLess 10% discount,-4\nDelivery,10\nTransport to Kumasi,5\nTotal,51\n";
    expect(linesOf(list)).toEqual([
      "Transport and Communication 20",
      "Balance in Nature 12",
      "Less Is More 8",
      totals,
      charge,
      charge,
      charge,
      totals,
    ]);
  });

  it("are taken one by one where they may be books", () => {
    const list = `Title,ISBN,Publisher,Price\nA,${A},C,5\nB,${B},C,6\nC,${C},C,7\nDelivery Boy,,,8\nDiscount Fractions,,,9\n`;
    expect(linesOf(list, { takesUnsure: new Set([6]) }).slice(3)).toEqual([charge, "Discount Fractions 9"]);
  });

  it("are books with an author where others have one, and asked about where they are sums", () => {
    const list = `Title,ISBN,Author,Price\nA,${A},Ama,5\nB,${B},Esi,6\nC,${C},Yaw,7\nPoems,,Kofi,\nThe sum,,all,18\n`;
    expect(linesOf(list).slice(3)).toEqual([
      "Poems",
      "! This may be a sum, not a book: its price is the sum of those above.",
    ]);
  });

  it("are what the others show, whatever hidden rows have", async () => {
    const table = await readSheet(
      sheetRow(1, ["Title", "ISBN", "Publisher", "Price"]) +
        Array.from({ length: 12 }, (_, at) => sheetRow(at + 2, [`Old ${at}`, "", "", "5"], true)).join("") +
        sheetRow(14, ["A", A, "C", "5"]) +
        sheetRow(15, ["B", B, "C", "6"]) +
        sheetRow(16, ["C", C, "C", "7"]) +
        sheetRow(17, ["UPPER PRIMARY", "", "", ""]),
    );
    expect(linesOf(table).slice(11)).toEqual([
      "- This row is hidden in the workbook.",
      `${A} A 5`,
      `${B} B 6`,
      `${C} C 7`,
      heading,
    ]);
  });
});

describe("A price list's availability", () => {
  const statesOf = (list: string) => readList(list).read.map(({ sale_state }) => sale_state);

  it("is what its codes mean, and nothing where it is a number of copies", () => {
    const list = (availability: string) =>
      `Title,ISBN,Price,Availability\nA,${A},5,20\nB,${B},6,40\nC,${C},7,${availability}\n`;
    expect(statesOf(list("10"))).toEqual(["on_sale", "last_copies", "coming_soon"]);
    expect(statesOf(list("135"))).toEqual([undefined, undefined, undefined]);
    expect(statesOf(list("OP"))).toEqual(["on_sale", "last_copies", "last_copies"]);
  });
});

describe("A price list's damaged cells", () => {
  it("are mended in every field, or refused with what is wrong", () => {
    const { read } = readList(
      [
        "Title,ISBN,Publisher,Price,Stock,Grade Level,Age Range,Edition,Subject",
        `"=""Reader 1""","=""${A}""","=""Collins""","=""12.50""","=""7""","=""Basic 1""",7.0,1.0,'Maths`,
        `'Tis Reader 2,97899889901Z1,<i>Collins</i>,12,1,'01,46272.0,2.0,<b>Maths</b>`,
        "Reader 3,97899889901l4,Collins,12,1,6,9-Jul-26,1st,English &amp; Maths",
        "Reader 4,9789988990l14,Collins,12,1,6,7,3,Maths",
      ].join("\n"),
    );
    expect(read[0]).toMatchObject({
      title: "Reader 1",
      isbn: A,
      publisher: "Collins",
      price: 12.5,
      stock_quantity: 7,
      grade_level: "Basic 1",
      age_range: "7",
      edition: "1",
      subject: "Maths",
    });
    expect(read[1]).toMatchObject({
      title: "'Tis Reader 2",
      publisher: "Collins",
      grade_level: "01",
      age_range: "7-9",
      edition: "2",
      subject: "Maths",
    });
    expect(read[2]).toMatchObject({ age_range: "7-9", subject: "English & Maths" });
    expect(read[3]).toMatchObject({ isbn: A });
    const lost = readList("Title,ISBN\nA,97899889O0351\n").read[0];
    expect(lost?.isbn_problem).toBe(
      "The ISBN 97899889O0351 has letters among its digits. Copy it from the book.",
    );
  });
});

describe("The rows of a price list that were left out", () => {
  const repaired = (content: string | BookTable, choices: Choices = {}) => {
    const { read, headings } = readList(content, choices);
    const left = read.filter(({ problems }) => problems.length > 0);
    const lines = [leftOutHeadings(headings), ...left.map(leftOutRow)];
    return lines.map((cells) => cells.join(";")).join("\n");
  };

  it("keep the currency that their heading, a format or a choice gave, imported again", async () => {
    const chosen = "Title;Edition;Price\nA;2026-01-02;12\n";
    expect(repaired(chosen, { base: "GBP" }).split("\n")[1]).toMatch(/;GBP 12$/);
    const table = await readSheet(
      sheetRow(1, ["Title", "Edition", "Price"]) +
        `<row r="2"><c r="A2" t="str"><v>A</v></c><c r="B2" t="str"><v>2026-01-02</v></c><c r="C2" s="1"><v>12</v></c></row>` +
        `<row r="3" hidden="1"><c r="A3" t="str"><v>B</v></c><c r="C3" s="1"><v>8</v></c></row>` +
        `<row r="4"><c r="A4" t="str"><v>Discount</v></c><c r="C4" s="1"><v>9</v></c></row>`,
      ['"£"0.00'],
    );
    expect(repaired(table).match(/;GBP (?:12|8|9)$/gm)).toHaveLength(3);
  });

  it("stay what they were: hidden, sums, headings and what may be a book", () => {
    const list = [
      "Title;ISBN;Publisher;Price",
      "JHS 1;;;",
      `A;${A};C;5`,
      `B;${B};C;6`,
      `C;${C};C;7`,
      "Sub-total;;;18",
      "Discount;;;2",
      "D;;C;free",
    ].join("\n");
    const again = repaired(list).replace(";D;;C;free", ";D;;C;4");
    expect(linesOf(again, { sectionField: "grade_level" })).toEqual([heading, totals, charge]);
    const hidden = "Line;Reason;Title;Price\n2;This row is hidden in the workbook.;A;5\n";
    expect(linesOf(hidden)).toEqual(["- This row is hidden in the workbook."]);
    expect(linesOf(hidden, { takesHidden: true })).toEqual(["A 5"]);
  });

  it("are books once they have an ISBN", () => {
    const again = `Line;Reason;Title;ISBN;Price\n9;This is a sum, not a book.;Sum It Up;${A};5\n`;
    expect(linesOf(again)).toEqual([`${A} Sum It Up 5`]);
  });
});

describe("A price list of a workbook", () => {
  it("is that of the sheet with its headings, which is proposed, and hidden ones are named and read when asked", async () => {
    const row = (...texts: string[]) =>
      `<row>${texts.map((text) => `<c t="str"><v>${text}</v></c>`).join("")}</row>`;
    const sheets = {
      Cover: row("Our list", "2026") + row("Title page"),
      Books: row("As at November") + row("Title", "ISBN", "Price") + row("Atlas", "9789988990114", "45"),
      Costs: row("Title", "Price") + row("Globe", "5"),
    };
    const bytes = await makeWorkbook(sheets, [], ["Costs"]);
    expect(await readBytes(bytes)).toEqual({
      sheets: ["Cover", "Books"],
      proposed: "Books",
      hiddenSheets: ["Costs"],
    });
    expect(await readBytes(bytes, "Costs")).toMatchObject({
      sheet: "Costs",
      rows: [{ cells: ["Globe", "5"] }],
    });
    const one = await makeWorkbook({ Books: sheets.Books, Costs: sheets.Costs }, [], ["Costs"]);
    expect(await readBytes(one)).toMatchObject({
      hiddenSheets: ["Costs"],
      rows: [{}, { cells: ["Atlas", "9789988990114", "45"] }],
    });
    const none = await makeWorkbook({ Costs: sheets.Costs }, [], ["Costs"]);
    await expect(readBytes(none)).rejects.toThrow("All sheets with anything in them are hidden.");
  });
});
