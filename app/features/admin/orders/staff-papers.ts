import { isUuid } from "#app/lib/uuid.ts";
import { orderDetailsPath } from "./order-number.ts";

/** The papers that staff print for orders, by their names in URLs. */
export const staffPapers = {
  "packing-list": "Packing list",
  "delivery-note": "Delivery note",
  invoice: "Invoice",
} as const;

export type StaffPaper = keyof typeof staffPapers;

/** What a URL below /admin/orders shows. */
export type OrdersView =
  | { view: "list" | "new-order" | "not-found" }
  | { view: "papers"; ids: string[]; paper: StaffPaper }
  | { view: "redirect"; to: string };

const NOT_FOUND = { view: "not-found" } as const;

/**
 * Reads the two parts of a URL below /admin/orders: 'new', an order's number, which leads to its details, or the ids of
 * orders whose papers are to be printed. The paper is a packing list by default.
 */
export function readOrdersView(orders: string | undefined, paper: string | undefined): OrdersView {
  if (orders === undefined) return { view: "list" };
  if (paper !== undefined && !Object.hasOwn(staffPapers, paper)) return NOT_FOUND;
  const ids = orders.split(",");
  if (ids.every(isUuid)) return { view: "papers", ids, paper: (paper ?? "packing-list") as StaffPaper };
  if (paper !== undefined) return NOT_FOUND;
  if (orders === "new") return { view: "new-order" };
  return /^\d{1,15}$/.test(orders)
    ? { view: "redirect", to: orderDetailsPath({ number: Number(orders) }) }
    : NOT_FOUND;
}

/** The URL of the page that prints a paper for each of these orders. */
export function papersPath(orders: readonly { id: string }[], paper: StaffPaper): string {
  return `/admin/orders/${orders.map(({ id }) => id).join(",")}/${paper}`;
}
