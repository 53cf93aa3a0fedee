import { expect, test } from "vitest";
import { percentOf } from "./percent.ts";

test.each([
  [375, 1000, "37.5 %"],
  [1, 3, "33.3 %"],
  [-50, 200, "-25 %"],
  [0, 200, "0 %"],
  [12, 0, "–"],
])("%d of %d is %s", (part, whole, text) => {
  expect(percentOf(part, whole)).toBe(text);
});
