import { expect, test } from "vitest";
import { readOrderLines } from "#app/features/bulk-order/order-lines.ts";
import { readWorkbookLines } from "#app/features/bulk-order/workbook-lines.ts";
import { readBookImportRow } from "#app/office/catalogue/book-import/book-import.ts";
import {
  bookImportColumns,
  mapBookImportColumns,
} from "#app/office/catalogue/book-import/book-import-columns.ts";
import { readTableFile } from "#app/office/catalogue/book-import/workbook-table.ts";
import { googleCsv, googleWorkbook } from "#tests/support/google-sheet.ts";

const price = (cedis: number, shown: string) => ({ number: cedis, style: "cedis", shown }) as const;
const number = (value: number) => ({ number: value, shown: String(value) });

/** A publisher's price list, shared as a Google sheet. */
const priceList = [
  ["Title", "ISBN", "Price (GH₵)", "Stock", "Description", "Edition", "Added"],
  [
    'Ɛkɔ, "the rope"',
    number(9780306406157),
    price(1234.5, "GH₵1,234.50"),
    number(1200),
    " First line.\nSecond, with a comma. ",
    null,
    { number: 46351, style: "day", shown: "2026-11-25" } as const,
  ],
  [
    "Atlas & Co <1>",
    { number: 306406152, style: "isbn", shown: "0306406152" } as const,
    price(0.1, "GH₵0.10"),
    { formula: 'IF(A3="","",0)', result: "0" },
    "#1 in 'Ghana'",
    { number: 2, shown: "2" },
    { number: 46351.60434027778, style: "minute", shown: "25/11/2026 14:30:15" } as const,
  ],
];

async function booksOf(bytes: Uint8Array) {
  const table = await readTableFile(bytes, { known: bookImportColumns, maxRows: 50 });
  if ("sheets" in table) throw new Error("The file has several sheets");
  const mapping = mapBookImportColumns(table.headings);
  return table.rows.map((row) => {
    const { cells: _, ...book } = readBookImportRow(row, mapping).row;
    return book;
  });
}

const books = [
  {
    line: 2,
    problems: [],
    title: 'Ɛkɔ, "the rope"',
    isbn: "9780306406157",
    price: 1234.5,
    stock_quantity: 1200,
    description: "First line.\nSecond, with a comma.",
    edition: null,
  },
  {
    line: 3,
    problems: [],
    title: "Atlas & Co <1>",
    isbn: "9780306406157",
    price: 0.1,
    stock_quantity: 0,
    description: "#1 in 'Ghana'",
    edition: "2",
  },
];

test("a price list that Google Sheets saved as a workbook is read", async () => {
  expect(await booksOf(googleWorkbook(priceList))).toEqual(books);
});

test("the same list that Google Sheets saved as CSV is read as the same books", async () => {
  const [first, second] = books;
  // A line of the file, where a description has two.
  expect(await booksOf(googleCsv(priceList))).toEqual([first, { ...second, line: 4 }]);
});

test("a school's list from Google Sheets is read in both forms", async () => {
  const list = [
    ["Hill School, Form 1", null, null],
    [null, null, null],
    ["ISBN", "Title", "Copies"],
    [number(9780306406157), 'The "big"\nbook', number(40)],
    [null, "Atlas, new", { formula: "20+15", result: "35" }],
  ];
  const wanted = [
    { isbn: "9780306406157", title: 'The "big" book', quantity: 40 },
    { isbn: "", title: "Atlas, new", quantity: 35 },
  ];
  const workbook = await readWorkbookLines(googleWorkbook(list));
  expect("text" in workbook && readOrderLines(workbook.text)).toMatchObject(wanted);
  const csv = new TextDecoder().decode(googleCsv(list));
  expect(readOrderLines(csv)).toMatchObject(wanted);
});
