import { describe, expect, test } from "vitest";
import type { BookRecord } from "./book.admin-queries.ts";
import { bookFormInput, bookFormSchema, differingFields, internalCode } from "./book-form.ts";

const record: BookRecord = {
  id: "b1",
  updated_at: "2026-11-20T08:00:00.000Z",
  title: "Atlas",
  publisher: "Collins",
  price: 45.5,
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
};
const typed = bookFormInput(record);

const messagesOf = (input: Partial<typeof typed>) =>
  bookFormSchema.safeParse({ ...typed, ...input }).error?.issues.map(({ message }) => message) ?? [];

describe("the book form's rules", () => {
  test("title, publisher and ISBN are required, and white space is nothing", () => {
    expect(messagesOf({ title: "  " })).toEqual(["Title is required"]);
    expect(messagesOf({ publisher: "" })).toEqual(["Publisher is required"]);
    expect(messagesOf({ isbn: "\t" })).toEqual(["ISBN is required"]);
  });

  test("price and stock must not be negative", () => {
    expect(messagesOf({ price: "-0.01" })).toEqual(["Price must be a positive number"]);
    expect(messagesOf({ stock_quantity: "-1" })).toEqual(["Stock quantity must be a positive number"]);
  });

  test("a price or stock that is no number counts as 0", () => {
    for (const text of ["", "abc", "12 pounds", "Infinity"]) {
      const values = bookFormSchema.parse({ ...typed, price: text, stock_quantity: text });
      expect(values).toMatchObject({ price: 0, stock_quantity: 0 });
    }
  });

  test("a price has two decimals, a stock none", () => {
    expect(bookFormSchema.parse({ ...typed, price: "19.999", stock_quantity: "12.7" })).toMatchObject({
      price: 20,
      stock_quantity: 12,
    });
  });

  test("what is filled from a book and saved unchanged changes nothing", () => {
    expect(differingFields(record, { ...record, ...bookFormSchema.parse(typed) })).toEqual([]);
    expect(typed.price).toBe("45.50");
  });

  test("empty optional text is stored as null, other text trimmed", () => {
    expect(bookFormSchema.parse({ ...typed, edition: " ", subject: " Maths " })).toMatchObject({
      edition: null,
      subject: "Maths",
    });
  });

  test("a new book starts empty", () => {
    expect(new Set(Object.values(bookFormInput(null)))).toEqual(new Set([""]));
  });
});

test("an internal code is told apart from an ISBN", () => {
  expect(internalCode(() => 0)).toBe("AB-222222");
  expect(internalCode(() => 0.999)).toBe("AB-ZZZZZZ");
});
