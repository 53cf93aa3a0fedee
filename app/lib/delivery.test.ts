import { expect, test } from "vitest";
import { feesNameRegions } from "./delivery.ts";

test("Fees that name regions depend on the region of an order; others don't", () => {
  expect(feesNameRegions([])).toBe(false);
  expect(feesNameRegions([{ below: 300, fee: 20 }, { fee: 0 }])).toBe(false);
  expect(feesNameRegions([{ fee: 20 }, { regions: ["Volta"], fee: 0 }])).toBe(true);
});
