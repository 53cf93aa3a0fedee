import { expect, test } from "vitest";
import { orderDetailsPath, orderLabel, shortOrderId } from "./order-number.ts";

test("An order is named by the start of its id and by its number", () => {
  const order = { id: "0b5c1f1e-0000-4000-8000-00000000000a", number: 1042 };
  expect(shortOrderId(order.id)).toBe("0b5c1f1e…");
  expect(orderLabel(order)).toBe("0b5c1f1e… (No. 1042)");
  expect(orderDetailsPath(order)).toBe("/admin/orders?order=1042");
});
