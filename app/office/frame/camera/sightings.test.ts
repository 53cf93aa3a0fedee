import { expect, test } from "vitest";
import { createSightings } from "./sightings.ts";

test("a code in view is one scan, and counts again after 1.5 s out of view", () => {
  const isNew = createSightings();
  expect(isNew("9780140449136", 0)).toBe(true);
  expect([100, 1_500, 2_900, 4_300].map((ms) => isNew("9780140449136", ms))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(isNew("4006381333931", 4_310)).toBe(true);
  expect(isNew("9780140449136", 5_799)).toBe(false);
  expect(isNew("9780140449136", 7_299)).toBe(true);
});
