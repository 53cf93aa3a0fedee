import { describe, expect, test } from "vitest";
import { pesewasFromCedis } from "#shared/text/money.ts";
import type { BookRecord } from "./book.admin-queries.ts";
import { bookFormInput, differingFields, internalCode, readBookForm, readPriceField } from "./book-form.ts";

const record: BookRecord = {
  id: "b1",
  updated_at: "2026-11-20T08:00:00.000Z",
  title: "Atlas",
  authors: "Ama Ata, Kofi A.",
  publisher: "Collins",
  price: pesewasFromCedis(45.5),
  stock_quantity: 7,
  isbn: "9780008123456",
  edition: null,
  subject: "Geography",
  grade_level: null,
  image_url: null,
  description: null,
  course: "IGCSE",
  age_range: "14-16",
  curriculum_type: "Cambridge",
  shelf: "B3",
  kind: "book",
  digital_by: null,
  sale_state: "on_sale",
  available_on: null,
  newer_isbn: null,
};
const typed = bookFormInput(record);

const problemsOf = (input: Partial<typeof typed>) => readBookForm({ ...typed, ...input }).problems;
const valuesOf = (input: Partial<typeof typed>) => readBookForm({ ...typed, ...input }).values;

describe("the book form's rules", () => {
  test("what is coming soon may have a date, and keeps it for when it is coming soon again", () => {
    const comingSoon = { sale_state: "coming_soon" };
    expect(valuesOf({ ...comingSoon, available_on: "Jan 2027" })).toMatchObject({
      ...comingSoon,
      available_on: "2027-01",
    });
    expect(valuesOf(comingSoon).available_on).toBeNull();
    expect(problemsOf({ ...comingSoon, available_on: "05/06/2027" })).toEqual({
      available_on: "Write a date such as 15/01/2027, Jan 2027 or 2027",
    });
    const stored = { ...record, ...comingSoon, available_on: "2027-01" };
    const { values } = readBookForm({ ...bookFormInput(stored), sale_state: "on_sale" }, stored);
    expect(values).toMatchObject({ sale_state: "on_sale", available_on: "2027-01" });
  });

  test("the newer edition is another book's ISBN, or empty", () => {
    expect(valuesOf({ newer_isbn: " 978-0-14-044913-6 " }).newer_isbn).toBe("978-0-14-044913-6");
    expect(valuesOf({ newer_isbn: " " }).newer_isbn).toBeNull();
    expect(problemsOf({ newer_isbn: "2nd Edition" })).toEqual({
      newer_isbn: "Write the ISBN of the newer edition",
    });
    expect(problemsOf({ isbn: "0-306-40615-2", newer_isbn: "9780306406157" })).toEqual({
      newer_isbn: "This is the book's own ISBN",
    });
  });

  test("title, publisher and ISBN are required, and white space does not count", () => {
    expect(problemsOf({ title: "  " })).toEqual({ title: "Title is required" });
    expect(problemsOf({ publisher: "" })).toEqual({ publisher: "Publisher is required" });
    expect(problemsOf({ isbn: "\t" })).toEqual({ isbn: "ISBN is required" });
  });

  test("price and stock must not be negative", () => {
    expect(problemsOf({ price: "-0.01" })).toEqual({ price: "Price must be a positive number" });
    expect(problemsOf({ stock_quantity: "-1" })).toEqual({
      stock_quantity: "Stock quantity must be a positive number",
    });
  });

  test("a price or stock that is not a number counts as 0", () => {
    for (const text of ["", "abc", "12 pounds", "Infinity"]) {
      const values = valuesOf({ price: text, stock_quantity: text });
      expect(values).toMatchObject({ price: 0, stock_quantity: 0 });
    }
  });

  test("a price with more than two decimals and a stock with any decimals are refused, not rounded", () => {
    for (const price of ["12.345", "19.999", "19.9999", "0.001", "1e-3"])
      expect(problemsOf({ price }), price).toEqual({ price: "Price can have at most two decimals" });
    for (const stock_quantity of ["12.7", "0.5"])
      expect(problemsOf({ stock_quantity })).toEqual({
        stock_quantity: "Stock quantity must be a whole number",
      });
    for (const price of ["0.07", "12.3", "12.340", "1.10", "99999999.99", "1e1", "12.345,60"])
      expect(problemsOf({ price }), price).toEqual({});
    expect(valuesOf({ price: "12.340", stock_quantity: "7.0" })).toMatchObject({
      price: 1_234,
      stock_quantity: 7,
    });
  });

  test("a price may be written as people write amounts, and one too large for the column is left to the database", () => {
    expect(["1,234.50", "GHS 45", "1e3", "1e300"].map(readPriceField)).toEqual([
      123_450, 4_500, 100_000, 1e14,
    ]);
  });

  test("a price and a stock of 0 are valid", () => {
    expect(problemsOf({ price: "0", stock_quantity: "0" })).toEqual({});
  });

  test("the fields in which two states of a book differ are named in the form's order", () => {
    const other = { ...record, stock_quantity: 8, title: "Map", updated_at: "later" };
    expect(differingFields(record, other)).toEqual(["title", "stock_quantity"]);
  });

  test("a form filled from a book and saved unchanged changes nothing", () => {
    expect(differingFields(record, { ...record, ...valuesOf({}) })).toEqual([]);
    expect(typed.price).toBe("45.50");
  });

  test("empty optional text is stored as null, other text trimmed", () => {
    expect(valuesOf({ edition: " ", subject: " Maths " })).toMatchObject({
      edition: null,
      subject: "Maths",
    });
  });

  test("every field with a problem is named, and a valid form has none", () => {
    expect(Object.keys(problemsOf({ title: "", isbn: "", price: "-1" }))).toEqual(["title", "isbn", "price"]);
    expect(problemsOf({})).toEqual({});
  });

  test("a new title starts as an empty book", () => {
    const { kind, digital_by, sale_state, ...others } = bookFormInput(null);
    expect([kind, digital_by, sale_state]).toEqual(["book", "file", "on_sale"]);
    expect(new Set(Object.values(others))).toEqual(new Set([""]));
  });
});

describe("the form of another kind than a book", () => {
  test("a digital title needs no ISBN, and stationery none either", () => {
    for (const kind of ["digital", "stationery"]) expect(problemsOf({ kind, isbn: "" }), kind).toEqual({});
    expect(Object.keys(problemsOf({ kind: "digital", title: "", publisher: "" }))).toEqual([
      "title",
      "publisher",
    ]);
  });

  test("only a digital title has a way of delivery, which is files by default", () => {
    expect(valuesOf({ kind: "digital" })).toMatchObject({ kind: "digital", digital_by: "file" });
    expect(valuesOf({ kind: "digital", digital_by: "code" }).digital_by).toBe("code");
    for (const kind of ["book", "stationery"])
      expect(valuesOf({ kind, digital_by: "code" }), kind).toMatchObject({ kind, digital_by: null });
  });

  test("fields that the kind doesn't have keep their stored values", () => {
    const typedFirst = {
      ...typed,
      isbn: "x",
      edition: "9th",
      stock_quantity: "99",
      shelf: "Z",
      kind: "digital",
    };
    const { isbn, edition, stock_quantity, shelf } = record;
    expect(readBookForm(typedFirst, record).values).toMatchObject({ isbn, edition, stock_quantity, shelf });
    expect(readBookForm(typedFirst).values).toMatchObject({
      isbn: null,
      edition: null,
      stock_quantity: 0,
      shelf: null,
    });
  });

  test("a wrong number in a hidden field doesn't stop a save", () => {
    expect(problemsOf({ kind: "digital", stock_quantity: "-1" })).toEqual({});
  });

  test("stationery has a barcode and stock, but no authors and no edition", () => {
    const values = readBookForm({
      ...typed,
      kind: "stationery",
      isbn: "6001",
      authors: "A",
      edition: "2",
    }).values;
    expect(values).toMatchObject({ isbn: "6001", stock_quantity: 7, authors: null, edition: null });
  });
});

test("an internal code is distinguished from an ISBN", () => {
  expect(internalCode(() => 0)).toBe("AB-222222");
  expect(internalCode(() => 0.999)).toBe("AB-ZZZZZZ");
});
