import { expect, test } from "vitest";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { isSameLines, linesOf } from "./changed-lines.ts";

const item = (id: string | null, quantity: number, stock: number | null) => ({
  id: `line of ${id}`,
  sold_book_id: id,
  title: "Atlas",
  publisher: null,
  isbn: null,
  price: pesewasFromCedis(20),
  quantity,
  kind: "book",
  book: stock === null ? null : { stock_quantity: stock, digital_by: null },
});

test("an order can keep its own copies beside those in stock, even of a deleted book", () => {
  const order_items = [item("a", 2, 5), item("b", 3, null)];
  const left = (held: boolean) =>
    linesOf({ order_items, stock_held: held }).map(({ stock_quantity }) => stock_quantity);
  expect(left(true)).toEqual([7, 3]);
  expect(left(false)).toEqual([5, 0]);
});

test("lines are the same in any order with the same copies", () => {
  const [a, b] = linesOf({ order_items: [item("a", 2, 5), item("b", 3, 5)], stock_held: true });
  if (!a || !b) throw new Error("An order has no lines");
  expect(isSameLines([a, b], [b, a])).toBe(true);
  expect(isSameLines([a, b], [a])).toBe(false);
  expect(isSameLines([a, b], [a, { ...b, quantity: 1 }])).toBe(false);
  expect(isSameLines([a], [b])).toBe(false);
});
