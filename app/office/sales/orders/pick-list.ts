import { packedItems } from "#app/features/documents/document.ts";
import type { PrintedOrder } from "./document.admin-queries.ts";

type Order = PrintedOrder["order"];
type Item = Order["items"][number];

/** A title to fetch from the shelves, with the copies that all orders together need and the orders that need them. */
export type PickLine = Pick<Item, "title" | "publisher" | "isbn" | "shelf"> & {
  key: string;
  copies: number;
  orders: { number: number; copies: number }[];
};

/**
 * One line per title to pack over all orders that aren't cancelled, sorted by shelf place, then by publisher and title; titles
 * without a shelf place come last.
 */
export function pickLines(
  orders: readonly Pick<Order, "number" | "status" | "items" | "parcel">[],
): PickLine[] {
  const lines = new Map<string, PickLine>();
  for (const order of orders) {
    const { number, status } = order;
    if (status === "cancelled") continue;
    for (const { title, publisher, isbn, shelf, quantity } of packedItems(order)) {
      const key = JSON.stringify([title, publisher, isbn]);
      const line = lines.get(key) ?? { key, title, publisher, isbn, shelf, copies: 0, orders: [] };
      line.copies += quantity;
      line.orders.push({ number, copies: quantity });
      lines.set(key, line);
    }
  }
  const compare = new Intl.Collator("en-GB", { numeric: true }).compare;
  return [...lines.values()].sort(
    (one, other) =>
      Number(one.shelf === null) - Number(other.shelf === null) ||
      compare(one.shelf ?? "", other.shelf ?? "") ||
      compare(one.publisher ?? "", other.publisher ?? "") ||
      compare(one.title, other.title) ||
      compare(one.isbn ?? "", other.isbn ?? ""),
  );
}
