import type { OrderRow } from "./order.admin-queries.ts";

export type SeenOrders = {
  ids: ReadonlySet<string>;
  /** When the newest order seen was placed; empty before the first. */
  newestAt: string;
};

/** What has been seen after a reading of the newest orders, and before it: an order deleted meanwhile may come back. */
export function seenOrders(
  recent: Pick<OrderRow, "id" | "placedAt">[],
  before: SeenOrders = { ids: new Set(), newestAt: "" },
): SeenOrders {
  const ids = new Set([...before.ids, ...recent.map(({ id }) => id)]);
  const newestAt = recent[0]?.placedAt ?? before.newestAt;
  return { ids, newestAt: Date.parse(before.newestAt) > Date.parse(newestAt) ? before.newestAt : newestAt };
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
