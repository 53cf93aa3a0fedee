import type { ConsultationRow } from "#app/features/admin/consultations/consultation.admin-queries.ts";
import type { CountLine } from "#app/features/admin/counts/count.admin-queries.ts";
import type { Registration } from "#app/features/admin/events/event.admin-queries.ts";
import type { FoundPayment } from "#app/features/admin/payments/all/all-payments.admin-queries.ts";
import type { Movement } from "#app/features/admin/stock/stock.admin-queries.ts";
import { movementReasons } from "#app/features/admin/stock/stock-reasons.ts";
import { type BookField, bookFieldLabel, bookFields, choiceLabel } from "#app/features/books/book-fields.ts";
import { hyphenatedIsbn } from "#app/features/books/isbn-ranges.ts";
import { meetingWords, staffStatusNames } from "#app/features/consultations/consultation.ts";
import { sortableMinute } from "#app/lib/dates.ts";
import { deliveryMethodName } from "#app/lib/delivery.ts";
import { cedisFromPesewas, type Pesewas, timesQuantity } from "#app/lib/money.ts";
import { orderFields, shipmentFields } from "#app/lib/order-fields.ts";
import type { Amount, TableCell } from "#app/lib/table-file.ts";
import { type PaymentMethod, paymentMethods } from "#app/owner/payment-terms.ts";
import type { ExportedBook, ExportedOrder, ExportedUser } from "./export.admin-queries.ts";

/** The columns of the exported tables, by heading. */

type ExportColumns<Row> = Readonly<Record<string, (row: Row) => TableCell>>;

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
  if (name === "isbn") return spreadsheetIsbn(value as string | null);
  if (kind === "choice" && value !== null) return choiceLabel(name, String(value));
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
  ...Object.fromEntries(
    shipmentFields.map(({ name, label }) => [label, (order: ExportedOrderLine) => order[name]]),
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

const paymentColumns: ExportColumns<FoundPayment> = {
  Day: (payment) => payment.day,
  "Order number": (payment) => payment.order_number,
  Kind: (payment) => payment.kind,
  Method: (payment) => paymentMethods[payment.method as PaymentMethod] ?? payment.method,
  State: (payment) => payment.state,
  Reference: (payment) => payment.reference,
  "Amount (GH₵)": (payment) => amount(payment.amount),
  Note: (payment) => payment.note,
  By: (payment) => payment.by_name,
  Recorded: (payment) => new Date(payment.created_at),
  "Payment ID": (payment) => payment.id,
};

const movementColumns: ExportColumns<Movement> = {
  When: (movement) => new Date(movement.created_at),
  Why: (movement) => movementReasons[movement.reason] ?? movement.reason,
  "Order number": (movement) => movement.order_number,
  By: (movement) => movement.by_name,
  Copies: (movement) => movement.quantity,
  "In stock afterwards": (movement) => movement.balance,
  Note: (movement) => movement.note,
};

const countColumns: ExportColumns<CountLine> = {
  Book: (line) => line.title,
  Publisher: (line) => line.publisher,
  ISBN: (line) => spreadsheetIsbn(line.isbn),
  "Shelf place": (line) => line.shelf,
  Counted: (line) => line.counted,
  Expected: (line) => line.expected,
  Difference: (line) => line.difference,
  "Moved between its scans": (line) => line.moved,
  "Times counted": (line) => (line.counted === null ? line.round - 1 : line.round),
  "In the scope": (line) => (line.in_scope ? "yes" : "no"),
  "Counted by": (line) => line.counted_by,
  "Last scan": (line) => (line.scanned_at === null ? null : new Date(line.scanned_at)),
};

const consultationColumns: ExportColumns<ConsultationRow> = {
  Requested: (consultation) => new Date(consultation.created_at),
  Status: (consultation) => staffStatusNames[consultation.status],
  Name: (consultation) => consultation.name,
  Institution: (consultation) => consultation.institution,
  Email: (consultation) => consultation.email,
  Phone: (consultation) => consultation.phone,
  Subject: (consultation) => consultation.subject,
  Classes: (consultation) => consultation.classes,
  "Days that suit them": (consultation) => consultation.wished_days,
  "What it is about": (consultation) => consultation.about,
  Answers: (consultation) => consultation.answers,
  Meeting: (consultation) => (consultation.meets_at === null ? null : new Date(consultation.meets_at)),
  Where: (consultation) => (consultation.meets_at === null ? null : meetingWords(consultation)),
  Note: (consultation) => consultation.staff_note,
  "Consultation ID": (consultation) => consultation.id,
};

const registrationStates = { registered: "Has a place", waiting: "Waiting", cancelled: "Cancelled" } as const;

const registrationColumns: ExportColumns<Registration> = {
  Name: (registration) => registration.name,
  Institution: (registration) => registration.institution,
  Email: (registration) => registration.email,
  Phone: (registration) => registration.phone,
  Status: (registration) => registrationStates[registration.state],
  Registered: (registration) => new Date(registration.created_at),
  "By staff": (registration) => (registration.by_staff ? "yes" : "no"),
  "Got a place later": (registration) =>
    registration.promoted_at === null ? null : new Date(registration.promoted_at),
  Cancelled: (registration) =>
    registration.cancelled_at === null ? null : new Date(registration.cancelled_at),
};

/** A table's headings, and the cells of each of a row's lines. */
export type ExportTable<Row> = { headings: readonly string[]; linesOf: (row: Row) => TableCell[][] };

export const bookTable: ExportTable<ExportedBook> = tableOf(bookColumns);

export const paymentTable: ExportTable<FoundPayment> = tableOf(paymentColumns);

export const movementTable: ExportTable<Movement> = tableOf(movementColumns);

export const countTable: ExportTable<CountLine> = tableOf(countColumns);

export const consultationTable: ExportTable<ConsultationRow> = tableOf(consultationColumns);

export const registrationTable: ExportTable<Registration> = tableOf(registrationColumns);

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
  const printed = hyphenatedIsbn(isbn);
  return /^\d{12,}$/.test(printed) ? `${printed.slice(0, 3)}-${printed.slice(3)}` : printed;
}
