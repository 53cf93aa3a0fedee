import { type BookField, bookFieldLabel, bookFields } from "#app/features/books/book-fields.ts";
import { formatIsbn } from "#app/features/books/isbn.ts";
import { sortableMinute } from "#app/lib/dates.ts";
import { deliveryMethodName } from "#app/lib/delivery.ts";
import { cedisFromPesewas, type Pesewas, timesQuantity } from "#app/lib/money.ts";
import { orderFields } from "#app/lib/order-fields.ts";
import type { Amount, TableCell } from "#app/lib/table-file.ts";
import type { ExportedBook, ExportedOrder, ExportedUser } from "./export.admin-queries.ts";

/** The columns of the exported tables, by heading. */

type ExportColumns<Row> = Readonly<Record<string, (row: Row) => TableCell>>;

/** The import understands these headings, so an export can be imported again. */
export const bookColumns: ExportColumns<ExportedBook> = {
  ...Object.fromEntries(
    bookFields.map(({ name, kind }) => [
      bookFieldLabel(name),
      (book: ExportedBook) => bookCell(name, kind, book[name]),
    ]),
  ),
  "Average rating": (book) => book.average_rating,
  Reviews: (book) => book.review_count,
  Added: (book) => new Date(book.created_at),
  ID: (book) => book.id,
};

function bookCell(
  name: BookField,
  kind: (typeof bookFields)[number]["kind"],
  value: string | number | null,
): TableCell {
  if (name === "isbn") return spreadsheetIsbn(value as string | null);
  return kind === "money" ? amount(value as Pesewas) : value;
}

/** One line of an order together with its order; an order without lines has one empty line. */
type ExportedOrderLine = Omit<ExportedOrder, "lines"> &
  Partial<ExportedOrder["lines"][number]> & { isFirst: boolean };

/** The order's total and its delivery fee are on its first line only, so that each column can be summed. */
export const orderColumns: ExportColumns<ExportedOrderLine> = {
  "Order number": (order) => order.number,
  "Order ID": (order) => order.id,
  Placed: (order) => new Date(order.created_at),
  Status: (order) => order.status,
  Customer: (order) => order.customer_name,
  "Customer email": (order) => order.customer_email,
  "Customer phone": (order) => order.customer_phone,
  ...Object.fromEntries(
    orderFields.map(({ name, label }) => [
      label,
      (order: ExportedOrderLine) =>
        name === "delivery_method" ? deliveryMethodName(order.delivery_method) : order[name],
    ]),
  ),
  Book: (line) => line.title,
  Publisher: (line) => line.publisher,
  ISBN: (line) => spreadsheetIsbn(line.isbn ?? null),
  Quantity: (line) => line.quantity,
  "Unit price (GH₵)": ({ price }) => (price === undefined ? null : amount(price)),
  "Line total (GH₵)": ({ price, quantity = 0 }) =>
    price === undefined ? null : amount(timesQuantity(price, quantity)),
  "Delivery fee (GH₵)": (line) => (line.isFirst ? amount(line.delivery_fee) : null),
  "Order total (GH₵)": (line) => (line.isFirst ? amount(line.total_amount) : null),
};

export const userColumns: ExportColumns<ExportedUser> = {
  Name: (user) => user.full_name,
  Email: (user) => user.email,
  Phone: (user) => user.phone,
  Role: (user) => user.role,
  Joined: (user) => new Date(user.created_at),
  "User ID": (user) => user.id,
};

/** A table's headings, and the cells of each of a row's lines. */
export type ExportTable<Row> = { headings: readonly string[]; linesOf: (row: Row) => TableCell[][] };

export const bookTable: ExportTable<ExportedBook> = tableOf(bookColumns);

export const userTable: ExportTable<ExportedUser> = tableOf(userColumns);

export const orderTable: ExportTable<ExportedOrder> = {
  headings: Object.keys(orderColumns),
  linesOf: ({ lines, ...order }) =>
    (lines.length === 0 ? [{}] : lines).map((line, place) =>
      cellsOf(orderColumns, { ...order, ...line, isFirst: place === 0 }),
    ),
};

export function tableOf<Row>(columns: ExportColumns<Row>): ExportTable<Row> {
  return { headings: Object.keys(columns), linesOf: (row) => [cellsOf(columns, row)] };
}

export function cellsOf<Row>(columns: ExportColumns<Row>, row: Row): TableCell[] {
  return Object.values(columns).map((cellOf) => cellOf(row));
}

/** 'books-2026-11-20', or 'books-matching-2026-11-20' when filters were applied; the format is its end. */
export function exportFileName(many: string, filtered: boolean, at: Date): string {
  return `${many}${filtered ? "-matching" : ""}-${sortableMinute(at).slice(0, 10)}`;
}

const amount = (pesewas: Pesewas): Amount => ({ cedis: cedisFromPesewas(pesewas) });

/** With hyphens, because a spreadsheet would show thirteen digits as 9.78E+12. */
function spreadsheetIsbn(isbn: string | null): string | null {
  if (isbn === null) return null;
  const printed = formatIsbn(isbn);
  return /^\d{12,}$/.test(printed) ? `${printed.slice(0, 3)}-${printed.slice(3)}` : printed;
}
