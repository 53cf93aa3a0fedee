import { type CsvCell, csvLine } from "#app/lib/csv.ts";
import { sortableMinute } from "#app/lib/dates.ts";
import { formatIsbn } from "#app/lib/isbn.ts";
import type { ExportedBook, ExportedOrder, ExportedUser } from "./export.admin-queries.ts";

/** What the exported tables hold, heading by heading. Amounts are in cedis with two decimals and no sign. */

export type ExportColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

/** The headings are those that the import understands, so that an export comes back in. */
export const bookColumns: ExportColumns<ExportedBook> = {
  Title: (book) => book.title,
  Publisher: (book) => book.publisher,
  ISBN: (book) => spreadsheetIsbn(book.isbn),
  "Price (GH₵)": (book) => amount(book.price),
  Stock: (book) => book.stock_quantity,
  Course: (book) => book.course,
  Subject: (book) => book.subject,
  "Grade level": (book) => book.grade_level,
  "Age range": (book) => book.age_range,
  "Curriculum type": (book) => book.curriculum_type,
  Edition: (book) => book.edition,
  Description: (book) => book.description,
  "Image URL": (book) => book.image_url,
  "Average rating": (book) => book.average_rating,
  Reviews: (book) => book.review_count,
  Added: (book) => sortableMinute(book.created_at),
  ID: (book) => book.id,
};

export const orderColumns: ExportColumns<ExportedOrder> = {
  "Order ID": (order) => order.id,
  Placed: (order) => sortableMinute(order.created_at),
  Status: (order) => order.status,
  "Total (GH₵)": (order) => amount(order.total_amount),
  Customer: (order) => order.customer_name,
  "Customer email": (order) => order.customer_email,
  "Customer phone": (order) => order.customer_phone,
  Recipient: (order) => order.recipient_name,
  "Recipient email": (order) => order.recipient_email,
  "Recipient phone": (order) => order.recipient_phone,
  "Shipping address": (order) => order.shipping_address,
};

export const userColumns: ExportColumns<ExportedUser> = {
  Name: (user) => user.full_name,
  Email: (user) => user.email,
  Phone: (user) => user.phone,
  Role: (user) => user.role,
  Joined: (user) => sortableMinute(user.created_at),
  "User ID": (user) => user.id,
};

export function headingLine<Row>(columns: ExportColumns<Row>): string {
  return csvLine(Object.keys(columns));
}

export function rowLine<Row>(columns: ExportColumns<Row>, row: Row): string {
  return csvLine(Object.values(columns).map((cellOf) => cellOf(row)));
}

/** 'books-2026-11-20.csv', or 'books-matching-2026-11-20.csv' when filters were applied. */
export function exportFileName(many: string, filtered: boolean, at: Date): string {
  return `${many}${filtered ? "-matching" : ""}-${sortableMinute(at).slice(0, 10)}.csv`;
}

function amount(cedis: number): string {
  return cedis.toFixed(2);
}

/** With hyphens, because a spreadsheet rounds a number of thirteen digits to 9.78E+12. */
function spreadsheetIsbn(isbn: string | null): string | null {
  if (isbn === null) return null;
  const printed = formatIsbn(isbn);
  return /^\d{12,}$/.test(printed) ? `${printed.slice(0, 3)}-${printed.slice(3)}` : printed;
}
