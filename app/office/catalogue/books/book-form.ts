import {
  type BookField,
  type BookValues,
  bookFieldNames,
  bookFields,
  isRequired,
} from "#app/features/books/book-fields.ts";
import { isbnKey, isbnsIn } from "#app/features/books/isbn.ts";
import { readKind } from "#app/features/books/kind-names.ts";
import { BOOK_KINDS, type BookKind } from "#app/features/books/kinds.ts";
import { readSaleState } from "#app/features/books/sale-states.ts";
import { cedisFromPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";
import { readOpenDate } from "#shared/text/open-date.ts";
import { readPrice } from "#shared/text/typed-price.ts";
import type { BookRecord } from "./book.admin-queries.ts";

/** Anything that is not a number counts as 0 (spec section 5). */
function readNumber(text: string): number {
  const number = Number(text);
  return Number.isFinite(number) ? number : 0;
}

/** Too large for the column, so that the database refuses it, but still an exact number. */
const TOO_DEAR = 1e12;

/** Number fields also hold '1e3' and '-1', which are not how people write prices: these are read as plain numbers. */
export function readPriceField(text: string): Pesewas | "too precise" {
  const price = readPrice(text);
  if (typeof price === "number") return price;
  const cedis = Math.min(readNumber(text), TOO_DEAR);
  const pesewas = pesewasFromCedis(cedis);
  // Binary fractions such as 0.07 are not exact.
  return Math.abs(cedis * 100 - pesewas) < 1e-6 ? pesewas : "too precise";
}

const readStockField = (text: string) => {
  const stock = readNumber(text);
  return Number.isInteger(stock) ? stock : "too precise";
};

export type BookFormInput = Record<BookField, string>;

/** A field's error, shown below it. */
export type BookFormProblems = Partial<Record<BookField, string>>;

/** Fields that the form shows for some kinds of title only. */
const kindsOf: Partial<Record<BookField, readonly BookKind[]>> = {
  authors: ["book", "digital"],
  isbn: ["book", "stationery"],
  edition: ["book"],
  newer_isbn: ["book"],
  stock_quantity: ["book", "stationery"],
  shelf: ["book", "stationery"],
  digital_by: ["digital"],
};

/** Whether the form shows a field for this kind of title; for other kinds the stored value stays unchanged. */
export const isShownFor = (kind: BookKind, field: BookField): boolean =>
  (kindsOf[field] ?? BOOK_KINDS).includes(kind);

/** Whether the form requires it for this kind of title: only a book has an ISBN. */
export const isRequiredFor = (kind: BookKind, field: BookField): boolean =>
  isRequired(field) && (field !== "isbn" || kind === "book");

/**
 * Parses the form into a title's values and errors. The values are valid only without errors.
 * @param stored the title that is edited, null for a new one
 */
export function readBookForm(
  typed: BookFormInput,
  stored: BookRecord | null = null,
): { values: BookValues; problems: BookFormProblems } {
  const problems: BookFormProblems = {};
  const kind = readKind(typed.kind);
  const values = bookFields.map((field) => {
    const { name } = field;
    const text = typed[name];
    if (name === "kind") return [name, kind];
    if (name === "sale_state") return [name, readSaleState(text)];
    if (name === "available_on") {
      // It says nothing of what is on sale; a book that is coming soon again has its former date.
      if (typed.sale_state !== "coming_soon") return [name, stored?.[name] ?? null];
      const date = readOpenDate(text);
      if (text.trim() && date === null) problems[name] = "Write a date such as 15/01/2027, Jan 2027 or 2027";
      return [name, date];
    }
    if (name === "digital_by") return [name, kind === "digital" ? text || "file" : null];
    if (!isShownFor(kind, name)) return [name, stored?.[name] ?? (field.kind === "count" ? 0 : null)];
    if (field.kind === "text") {
      if (isRequiredFor(kind, name) && !text.trim()) problems[name] = `${field.label} is required`;
      if (name === "newer_isbn" && text.trim()) {
        if (isbnsIn(text).length !== 1) problems[name] = "Write the ISBN of the newer edition";
        else if (isbnKey(text) === isbnKey(typed.isbn)) problems[name] = "This is the book's own ISBN";
      }
      return [name, text.trim() || null];
    }
    const isMoney = field.kind === "money";
    const number = isMoney ? readPriceField(text) : readStockField(text);
    if (number === "too precise")
      problems[name] = isMoney
        ? "Price can have at most two decimals"
        : "Stock quantity must be a whole number";
    else if (number < 0) problems[name] = `${isMoney ? "Price" : "Stock quantity"} must be a positive number`;
    return [name, number];
  });
  return { values: Object.fromEntries(values), problems };
}

/** An empty form, or one filled from a stored book. */
export function bookFormInput(record: BookRecord | null): BookFormInput {
  const input = Object.fromEntries(bookFieldNames.map((field) => [field, record?.[field]?.toString() ?? ""]));
  return {
    ...(input as BookFormInput),
    price: record ? cedisFromPesewas(record.price).toFixed(2) : "",
    kind: record?.kind ?? "book",
    digital_by: record?.digital_by ?? "file",
    sale_state: readSaleState(record?.sale_state ?? ""),
  };
}

export function differingFields(
  one: Pick<BookRecord, BookField>,
  other: Pick<BookRecord, BookField>,
): BookField[] {
  return bookFieldNames.filter((field) => one[field] !== other[field]);
}

/** A code for an item without an ISBN: six letters and digits that are hard to confuse. */
export function internalCode(random: () => number): string {
  const characters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
  const code = Array.from({ length: 6 }, () => characters[Math.floor(random() * characters.length)]).join("");
  return `AB-${code}`;
}
