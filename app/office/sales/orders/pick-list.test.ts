import { expect, test } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import { pickLines } from "./pick-list.ts";

const item = (
  title: string,
  publisher: string | null,
  quantity: number,
  isbn: string | null = null,
  shelf: string | null = null,
  kind = "book",
) => ({
  id: `${title} ${quantity}`,
  title,
  publisher,
  isbn,
  shelf,
  quantity,
  price: 100 as Pesewas,
  kind,
});

test("a pick list omits digital titles", () => {
  const items = [
    item("E-atlas", "A", 1, null, null, "digital"),
    item("Ruler", "A", 1, null, null, "stationery"),
  ];
  expect(pickLines([{ number: 1, status: "pending", items }]).map(({ title }) => title)).toEqual(["Ruler"]);
});

test("a pick list adds up a title's copies over all orders and lists those orders", () => {
  const orders = [
    { number: 1001, status: "pending", items: [item("Maths 2", "CGP", 3), item("Atlas", "Collins", 1)] },
    { number: 1002, status: "processing", items: [item("Maths 2", "CGP", 4)] },
    { number: 1003, status: "cancelled", items: [item("Maths 2", "CGP", 50)] },
  ] as const;
  expect(pickLines(orders)).toMatchObject([
    {
      title: "Maths 2",
      copies: 7,
      orders: [
        { number: 1001, copies: 3 },
        { number: 1002, copies: 4 },
      ],
    },
    { title: "Atlas", copies: 1, orders: [{ number: 1001, copies: 1 }] },
  ]);
});

test("a pick list sorts by publisher, then by title with numbers as numbers", () => {
  const items = [
    item("Book 10", "Collins", 1),
    item("Book 2", "Collins", 1),
    item("Ruler", null, 1),
    item("Zebra", "CGP", 1),
  ];
  expect(pickLines([{ number: 1, status: "pending", items }]).map(({ title }) => title)).toEqual([
    "Ruler",
    "Zebra",
    "Book 2",
    "Book 10",
  ]);
});

test("a pick list sorts by shelf place with numbers as numbers, and puts titles without one last", () => {
  const items = [
    item("Unplaced", "A", 1),
    item("Far", "A", 1, null, "Rack 10"),
    item("Near", "Z", 1, null, "Rack 2"),
  ];
  expect(pickLines([{ number: 1, status: "pending", items }]).map(({ title }) => title)).toEqual([
    "Near",
    "Far",
    "Unplaced",
  ]);
});

test("two editions with the same title and different ISBNs stay two lines", () => {
  const items = [item("Atlas", "Collins", 1, "9780000000002"), item("Atlas", "Collins", 2, "9780000000019")];
  expect(pickLines([{ number: 1, status: "pending", items }]).map(({ copies }) => copies)).toEqual([1, 2]);
});
