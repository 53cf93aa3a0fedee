import { expect, it } from "vitest";
import { additionProblem } from "./cart-problem.ts";

it.each([
  [0, null, null],
  [0, "out_of_stock", "Out of stock."],
  [0, "too_many", "You can order up to 999 copies of a title."],
  [4, "too_many", "You can order up to 999 copies of a title. 4 of 9 are in your cart now."],
  [4, "few_left", "We have too few copies. 4 of 9 are in your cart now."],
  [0, "cart_full", "Your cart is full. Order what is in it first."],
  [0, "not_sold", "We no longer sell this book."],
])("%d of 9 copies added, %j: %s", (added, problem, words) => {
  expect(additionProblem({ wanted: 9, added, problem })).toBe(words);
});
