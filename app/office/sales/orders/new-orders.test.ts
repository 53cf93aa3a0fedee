import { describe, expect, test } from "vitest";
import { newOrders, seenOrders } from "./new-orders.ts";

const order = (id: string, minute: number) => ({
  id,
  created_at: `2026-11-20T08:${String(minute).padStart(2, "0")}:00.000Z`,
});

describe("announcing new orders", () => {
  test("announces orders placed since the last read, newest first", () => {
    const seen = seenOrders([order("b", 2), order("a", 1)]);
    const found = newOrders(seen, [order("d", 4), order("c", 3), order("b", 2), order("a", 1)]);
    expect(found.map(({ id }) => id)).toEqual(["d", "c"]);
  });

  test("announces a shop's first order", () => {
    expect(newOrders(seenOrders([]), [order("a", 1)])).toHaveLength(1);
  });

  test("announces an order placed at the same moment as the newest one seen", () => {
    expect(newOrders(seenOrders([order("a", 1)]), [order("b", 1), order("a", 1)])).toHaveLength(1);
  });

  test("does not announce an older order that moved up after a deletion, nor a restored one", () => {
    const seen = seenOrders([order("c", 3), order("b", 2)]);
    expect(newOrders(seen, [order("b", 2), order("a", 1)])).toEqual([]);
  });

  test("does not announce the newest order when it is restored, but announces the next one", () => {
    const before = seenOrders([order("b", 2), order("a", 1)]);
    const seen = seenOrders([order("a", 1)], before);
    expect(newOrders(seen, [order("b", 2), order("a", 1)])).toEqual([]);
    expect(newOrders(seen, [order("c", 2), order("a", 1)])).toHaveLength(1);
  });

  test("does not announce an order older than the newest ever seen, even once that one was deleted", () => {
    const seen = seenOrders([order("a", 1)], seenOrders([order("c", 3), order("a", 1)]));
    expect(seen.newestAt).toBe(order("c", 3).created_at);
    expect(newOrders(seen, [order("b", 2), order("a", 1)])).toEqual([]);
  });

  test("does not announce the shop's only order when it is restored", () => {
    const seen = seenOrders([], seenOrders([order("a", 1)]));
    expect(newOrders(seen, [order("a", 1)])).toEqual([]);
  });
});
