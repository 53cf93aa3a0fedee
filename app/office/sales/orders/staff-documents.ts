import { orderDetailsPath } from "#app/office/frame/order-number.ts";
import { isUuid } from "#shared/text/uuid.ts";

/** The documents that staff print for orders, by their names in URLs. */
export const staffDocuments = {
  "packing-list": "Packing list",
  "delivery-note": "Delivery note",
  invoice: "Invoice",
  "pick-list": "Pick list",
} as const;

/** Documents of a single order; a pick list covers several. */
export const orderDocuments = ["packing-list", "delivery-note", "invoice"] as const;

export type StaffDocument = keyof typeof staffDocuments;

/** What a URL below /admin/orders shows. */
export type OrdersView =
  | { view: "list" | "new-order" | "not-found" }
  | { view: "documents"; ids: string[]; kind: StaffDocument }
  | { view: "redirect"; to: string };

const NOT_FOUND = { view: "not-found" } as const;

/**
 * Reads the two parts of a URL below /admin/orders: 'new', an order's number, which leads to its details, or the ids of
 * orders whose documents are to be printed. The document is a packing list by default.
 */
export function readOrdersView(orders: string | undefined, kind: string | undefined): OrdersView {
  if (orders === undefined) return { view: "list" };
  if (kind !== undefined && !Object.hasOwn(staffDocuments, kind)) return NOT_FOUND;
  const ids = orders.split(",");
  if (ids.every(isUuid)) return { view: "documents", ids, kind: (kind ?? "packing-list") as StaffDocument };
  if (kind !== undefined) return NOT_FOUND;
  if (orders === "new") return { view: "new-order" };
  return /^\d{1,15}$/.test(orders)
    ? { view: "redirect", to: orderDetailsPath({ number: Number(orders) }) }
    : NOT_FOUND;
}

/** The URL of the page that prints the delivery note of one of an order's shipments. */
export const shipmentNotePath = (order: { id: string }, shipment: { id: string }) =>
  `${documentsPath([order], "delivery-note")}?shipment=${shipment.id}`;

/** The URL of the page that prints a document for each of these orders. */
export function documentsPath(orders: readonly { id: string }[], kind: StaffDocument): string {
  return `/admin/orders/${orders.map(({ id }) => id).join(",")}/${kind}`;
}

/** What an order's last parcel held, by line: all but what left earlier; null, which is all, if nothing did. */
export const lastParcel = (
  items: readonly { id: string; quantity: number }[],
  earlier: Readonly<Record<string, number>> | undefined,
): Record<string, number> | null =>
  earlier
    ? Object.fromEntries(items.map(({ id, quantity }) => [id, Math.max(quantity - (earlier[id] ?? 0), 0)]))
    : null;
