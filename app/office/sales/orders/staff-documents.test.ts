import { expect, test } from "vitest";
import { documentsPath, lastParcel, readOrdersView } from "./staff-documents.ts";

const one = "0b5c1f1e-0000-4000-8000-00000000000a";
const other = "0b5c1f1e-0000-4000-8000-00000000000b";

test("/admin/orders shows the list, and /admin/orders/new a new order", () => {
  expect(readOrdersView(undefined, undefined)).toEqual({ view: "list" });
  expect(readOrdersView("new", undefined)).toEqual({ view: "new-order" });
});

test("A URL with order ids shows the document that it names, or a packing list by default", () => {
  for (const kind of ["invoice", "delivery-note", "packing-list", "pick-list"])
    expect(readOrdersView(one, kind)).toEqual({ view: "documents", ids: [one], kind });
  expect(readOrdersView(`${one},${other}`, undefined)).toEqual({
    view: "documents",
    ids: [one, other],
    kind: "packing-list",
  });
});

test("An order's number in the URL leads to its details", () => {
  expect(readOrdersView("1001", undefined)).toEqual({ view: "redirect", to: "/admin/orders?order=1001" });
});

test.each([
  ["foo", undefined],
  ["", undefined],
  ["-1", undefined],
  ["10.5", undefined],
  ["1001", "invoice"],
  ["9".repeat(16), undefined],
  ["new", "invoice"],
  [`${one},`, undefined],
  [`${one},1001`, undefined],
  [one, "receipt"],
  [one, "constructor"],
])("/admin/orders/%s/%s is not found", (orders, kind) => {
  expect(readOrdersView(orders, kind)).toEqual({ view: "not-found" });
});

test("The documents of several orders share one URL", () => {
  expect(documentsPath([{ id: "a" }, { id: "b" }], "delivery-note")).toBe("/admin/orders/a,b/delivery-note");
});

test("The last parcel of an order holds what did not leave earlier, and all of an order that left at once", () => {
  const items = [
    { id: "a", quantity: 10 },
    { id: "b", quantity: 4 },
  ];
  expect(lastParcel(items, { a: 3, b: 4 })).toEqual({ a: 7, b: 0 });
  expect(lastParcel(items, undefined)).toBeNull();
});
