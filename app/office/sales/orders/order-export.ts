import {
  amount,
  cellsOf,
  type ExportColumns,
  type ExportTable,
  spreadsheetIsbn,
} from "#app/office/frame/export/export-table.ts";
import { deliveryMethodName } from "#shared/orders/delivery.ts";
import { orderFields, shipmentFields } from "#shared/orders/order-fields.ts";
import { timesQuantity } from "#shared/text/money.ts";
import { type ExportedOrder, orderSource } from "./order-export.admin-queries.ts";

/** One line of an order together with its order; an order without lines has one empty line. */
type ExportedOrderLine = Omit<ExportedOrder, "lines"> &
  Partial<ExportedOrder["lines"][number]> & { isFirst: boolean };

/** The order's own amounts are on its first line only, so that each column can be summed. */
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
  "Returned (GH₵)": (line) => (line.isFirst ? amount(line.returned_amount) : null),
  "Paid (GH₵)": (line) => (line.isFirst ? amount(line.paid_amount) : null),
  "To refund (GH₵)": (line) => (line.isFirst ? amount(line.owed_back) : null),
  "Copies sent in parcels": (line) => (line.isFirst ? copiesSent(line) : null),
  "Last parcel's carrier": (line) => parcelsOf(line).at(-1)?.carrier ?? null,
  "Last parcel's number": (line) => parcelsOf(line).at(-1)?.parcel_number ?? null,
};

/** What was sent before the rest and stands, the oldest first. */
const parcelsOf = ({ shipments }: Pick<ExportedOrder, "shipments">) =>
  shipments
    .filter(({ undone_at }) => undone_at === null)
    .toSorted((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));

/** Null for an order that was sent as a whole. */
function copiesSent(order: Pick<ExportedOrder, "shipments">): number | null {
  const parcels = parcelsOf(order);
  if (parcels.length === 0) return null;
  return parcels.flatMap(({ lines }) => lines).reduce((sum, { copies }) => sum + copies, 0);
}

export const orderTable: ExportTable<ExportedOrder> = {
  headings: Object.keys(orderColumns),
  linesOf: ({ lines, ...order }) =>
    (lines.length === 0 ? [{}] : lines).map((line, place) =>
      cellsOf(orderColumns, { ...order, ...line, isFirst: place === 0 }),
    ),
};

export const orderExport = {
  one: "order",
  many: "orders",
  source: orderSource,
  table: orderTable,
  isPersonal: true,
};
