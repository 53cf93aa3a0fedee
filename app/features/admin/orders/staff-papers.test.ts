import { expect, test } from "vitest";
import { papersPath, readStaffPaper } from "./staff-papers.ts";

test("A URL shows the paper that it names, or a packing list by default", () => {
  expect(["invoice", "delivery-note", "receipt", "constructor", undefined].map(readStaffPaper)).toEqual([
    ...["invoice", "delivery-note", "packing-list", "packing-list", "packing-list"],
  ]);
});

test("The papers of several orders share one URL", () => {
  expect(papersPath([{ id: "a" }, { id: "b" }], "delivery-note")).toBe("/admin/orders/a,b/delivery-note");
});
