import type { OrderRow } from "./order.admin-queries.ts";

export type SeenOrders = {
  ids: ReadonlySet<string>;
  /** When the newest order seen was placed; empty before the first. */
  newestAt: string;
};

/** What has been seen after a reading of the newest orders. */
export function seenOrders(recent: Pick<OrderRow, "id" | "placedAt">[]): SeenOrders {
  return { ids: new Set(recent.map(({ id }) => id)), newestAt: recent[0]?.placedAt ?? "" };
}

/**
 * The orders of a reading that came in since the last one, newest first. An old order that is in the list because
 * another was deleted, or that was brought back, is not new.
 */
export function newOrders<Order extends Pick<OrderRow, "id" | "placedAt">>(
  seen: SeenOrders,
  recent: Order[],
): Order[] {
  return recent.filter(
    ({ id, placedAt }) =>
      !seen.ids.has(id) && (seen.newestAt === "" || Date.parse(placedAt) >= Date.parse(seen.newestAt)),
  );
}
