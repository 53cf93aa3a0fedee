import { type BookField, bookFieldLabel, bookFields, choiceLabel } from "#app/features/books/book-fields.ts";
import {
  amount,
  type ExportColumns,
  spreadsheetIsbn,
  tableOf,
} from "#app/office/frame/export/export-table.ts";
import type { TableCell } from "#shared/tables/table-file.ts";
import type { Pesewas } from "#shared/text/money.ts";
import { bookSource, type ExportedBook } from "./book-export.admin-queries.ts";

/** The import understands these headings, so an export can be imported again. */
export const bookColumns: ExportColumns<ExportedBook> = {
  ...Object.fromEntries(
    bookFields.map(({ name, kind }) => [
      bookFieldLabel(name),
      (book: ExportedBook) => (hasNoCount(name, book) ? null : bookCell(name, kind, book[name])),
    ]),
  ),
  "Average rating": (book) => book.average_rating,
  Reviews: (book) => book.review_count,
  Added: (book) => new Date(book.created_at),
  // What the import compares with: copies may be sold while someone edits the file.
  "Stock at export": (book) => (hasNoCount("stock_quantity", book) ? null : book.stock_quantity),
  "As exported": (book) => book.marks,
  ID: (book) => book.id,
};

/** Files can't run out, so their stock is a meaningless number. */
const hasNoCount = (name: BookField, { digital_by }: ExportedBook) =>
  name === "stock_quantity" && digital_by === "file";

function bookCell(
  name: BookField,
  kind: (typeof bookFields)[number]["kind"],
  value: string | number | null,
): TableCell {
  if (kind === "choice" && value !== null) return choiceLabel(name, String(value));
  if (kind === "money") return amount(value as Pesewas);
  const text = name === "isbn" || name === "newer_isbn" ? spreadsheetIsbn(value as string | null) : value;
  return typeof text === "string" ? { literal: text } : text;
}

export const bookExport = {
  one: "book",
  many: "books",
  source: bookSource,
  table: tableOf(bookColumns),
};
