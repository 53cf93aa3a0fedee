import type { OrderRow } from "./order.admin-queries.ts";

export type SeenOrders = {
  ids: ReadonlySet<string>;
  /** When the newest order seen was placed; empty before the first. */
  newestAt: string;
};

/** All orders seen so far, including deleted ones, which may be restored. */
export function seenOrders(
  recent: Pick<OrderRow, "id" | "created_at">[],
  before: SeenOrders = { ids: new Set(), newestAt: "" },
): SeenOrders {
  const ids = new Set([...before.ids, ...recent.map(({ id }) => id)]);
  const newestAt = recent[0]?.created_at ?? before.newestAt;
  return { ids, newestAt: Date.parse(before.newestAt) > Date.parse(newestAt) ? before.newestAt : newestAt };
}

/**
 * The orders placed since the last read, newest first. An older order that is in the list because another was deleted,
 * or because it was restored, is not new.
 */
export function newOrders<Order extends Pick<OrderRow, "id" | "created_at">>(
  seen: SeenOrders,
  recent: Order[],
): Order[] {
  return recent.filter(
    ({ id, created_at }) =>
      !seen.ids.has(id) && (seen.newestAt === "" || Date.parse(created_at) >= Date.parse(seen.newestAt)),
  );
}
