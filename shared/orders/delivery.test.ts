import { expect, test } from "vitest";
import { feesNameRegions } from "./delivery.ts";

test("the delivery fee depends on the region if a line for that method names regions", () => {
  expect(feesNameRegions([], "deliver")).toBe(false);
  expect(feesNameRegions([{ below: 300, fee: 20 }, { fee: 0 }], "deliver")).toBe(false);
  const volta = { regions: ["Volta"], fee: 0 } as const;
  for (const method of ["deliver", "bus_station"] as const) {
    expect(feesNameRegions([{ fee: 20 }, volta], method)).toBe(true);
    expect(feesNameRegions([{ method, ...volta }], method)).toBe(true);
  }
  expect(feesNameRegions([{ method: "bus_station", ...volta }, { fee: 20 }], "deliver")).toBe(false);
  for (const method of ["collect", "download"] as const) expect(feesNameRegions([volta], method)).toBe(false);
});
