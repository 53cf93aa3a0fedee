import { expect, test } from "vitest";
import { papersPath, readStaffPaper } from "./staff-papers.ts";

test("An address gets the paper that it names, otherwise a packing list", () => {
  expect(["invoice", "delivery-note", "receipt", "constructor", undefined].map(readStaffPaper)).toEqual([
    ...["invoice", "delivery-note", "packing-list", "packing-list", "packing-list"],
  ]);
});

test("The papers of several orders have one page", () => {
  expect(papersPath([{ id: "a" }, { id: "b" }], "delivery-note")).toBe("/admin/orders/a,b/delivery-note");
});
