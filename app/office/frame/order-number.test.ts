import { expect, test } from "vitest";
import { orderDetailsPath, orderLabel, readSelection, shortOrderId } from "./order-number.ts";

test("An order is named by the start of its id and by its number", () => {
  const order = { id: "0b5c1f1e-0000-4000-8000-00000000000a", number: 1042 };
  expect(shortOrderId(order.id)).toBe("0b5c1f1e…");
  expect(orderLabel(order)).toBe("0b5c1f1e… (No. 1042)");
  expect(orderDetailsPath(order)).toBe("/admin/orders?order=1042");
});

test("A URL's selection is read as numbers, without anything else", () => {
  expect(readSelection("1041-1042")).toEqual(new Set([1041, 1042]));
  expect(readSelection("x-7-1e3--7")).toEqual(new Set([7]));
  expect(readSelection(null)).toEqual(new Set());
});
