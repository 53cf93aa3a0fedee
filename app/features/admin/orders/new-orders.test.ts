import { describe, expect, test } from "vitest";
import { newOrders, seenOrders } from "./new-orders.ts";

const order = (id: string, minute: number) => ({
  id,
  created_at: `2026-11-20T08:${String(minute).padStart(2, "0")}:00.000Z`,
});

describe("which orders are announced as new", () => {
  test("those placed since the last read, newest first", () => {
    const seen = seenOrders([order("b", 2), order("a", 1)]);
    const found = newOrders(seen, [order("d", 4), order("c", 3), order("b", 2), order("a", 1)]);
    expect(found.map(({ id }) => id)).toEqual(["d", "c"]);
  });

  test("a shop's first order", () => {
    expect(newOrders(seenOrders([]), [order("a", 1)])).toHaveLength(1);
  });

  test("an order placed at the same moment as the newest one seen", () => {
    expect(newOrders(seenOrders([order("a", 1)]), [order("b", 1), order("a", 1)])).toHaveLength(1);
  });

  test("not an older one that moved up because another was deleted, nor a restored one", () => {
    const seen = seenOrders([order("c", 3), order("b", 2)]);
    expect(newOrders(seen, [order("b", 2), order("a", 1)])).toEqual([]);
  });

  test("not the newest one when it is restored, but the next one is", () => {
    const before = seenOrders([order("b", 2), order("a", 1)]);
    const seen = seenOrders([order("a", 1)], before);
    expect(newOrders(seen, [order("b", 2), order("a", 1)])).toEqual([]);
    expect(newOrders(seen, [order("c", 2), order("a", 1)])).toHaveLength(1);
  });

  test("not one that is older than the newest ever seen, when that was deleted", () => {
    const seen = seenOrders([order("a", 1)], seenOrders([order("c", 3), order("a", 1)]));
    expect(seen.newestAt).toBe(order("c", 3).created_at);
    expect(newOrders(seen, [order("b", 2), order("a", 1)])).toEqual([]);
  });

  test("not the shop's only order when it is restored", () => {
    const seen = seenOrders([], seenOrders([order("a", 1)]));
    expect(newOrders(seen, [order("a", 1)])).toEqual([]);
  });
});
