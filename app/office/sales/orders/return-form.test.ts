import { expect, it } from "vitest";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { findError, readReturn, sumReturn, type TypedReturn } from "./return-form.ts";

const line = (typed: Partial<TypedReturn>): TypedReturn => ({
  id: "a",
  title: "Atlas",
  price: pesewasFromCedis(20),
  sold: 10,
  most: 7,
  copies: "",
  unsalable: "",
  refund: null,
  ...typed,
});

it("refunds the price of the copies until another amount is typed, and leaves out lines without copies", () => {
  const lines = readReturn([
    line({ copies: "3" }),
    line({ id: "b", copies: " 2 ", unsalable: "2", refund: "5.50" }),
    line({ id: "c", copies: "1", refund: "" }),
    line({ id: "d" }),
  ]);
  expect(lines).toEqual([
    { order_item_id: "a", copies: 3, left: 7, resalable: true, refund: 6_000 },
    { order_item_id: "b", copies: 2, left: 7, resalable: false, refund: 550 },
    { order_item_id: "c", copies: 1, left: 7, resalable: true, refund: 0 },
  ]);
  expect(
    readReturn([
      line({ copies: "3", unsalable: "1" }),
      line({ id: "b", copies: "3", unsalable: "2", refund: "25.50" }),
    ]),
  ).toEqual([
    { order_item_id: "a", copies: 2, left: 7, resalable: true, refund: 4_000 },
    { order_item_id: "a", copies: 1, left: 7, resalable: false, refund: 2_000 },
    { order_item_id: "b", copies: 1, left: 7, resalable: true, refund: 2_000 },
    { order_item_id: "b", copies: 2, left: 7, resalable: false, refund: 550 },
  ]);
  expect(sumReturn(lines)).toEqual({ copies: 6, refund: 6_550 });
});

it.each([
  [{ copies: "8" }, "Enter a number up to 7"],
  [{ copies: "1.5" }, "Enter a number up to 7"],
  [{ copies: "-1" }, "Enter a number up to 7"],
  [{ copies: "2", unsalable: "3" }, "More copies can't be sold again than came back"],
  [{ copies: "2", unsalable: "x" }, "More copies can't be sold again than came back"],
  [{ copies: "2", refund: "x" }, "Enter an amount, such as 45.50"],
  [{ copies: "2", refund: "40.01" }, "The refund can't be more than the price of these copies"],
  [{ copies: "7" }, null],
  [{ copies: "2", refund: "40" }, null],
])("finds what is wrong with a line: %o", (typed, error) => {
  expect(findError(line(typed))).toBe(error);
});
