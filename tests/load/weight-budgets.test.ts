import { expect, test } from "vitest";
import { missedBudgets } from "./weight-budgets.ts";

const light = {
  html: 16_000,
  script: 124_000,
  style: 14_000,
  font: 90_000,
  image: 90_000,
  seen: 60_000,
  headers: 9_000,
  shift: 0,
};

test("finds nothing missed by a page that weighs as much as its budgets", () => {
  expect(missedBudgets("/", light)).toEqual([]);
});

test("names each budget that a page misses, with what was measured", () => {
  expect(
    missedBudgets("/shop", { ...light, html: 17_100, script: 124_100, seen: 146_000, shift: 0.01 }),
  ).toEqual([
    "/shop: HTML 17.1 kB, budget 16.0 kB",
    "/shop: JavaScript 124.1 kB, budget 124.0 kB",
    "/shop: pictures seen 146.0 kB, budget 60.0 kB",
    "/shop: layout shift 0.0100, budget 0",
  ]);
});
