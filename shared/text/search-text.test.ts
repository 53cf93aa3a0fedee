import { expect, test } from "vitest";
import { cutSearchText, SEARCH_LENGTH } from "./search-text.ts";

test.each([
  ["  maths 4 ", "maths 4"],
  ["ma\0ths", "maths"],
  ["ma\ud800ths", "ma\ufffdths"],
  [`${"a".repeat(SEARCH_LENGTH - 1)} b`, "a".repeat(SEARCH_LENGTH - 1)],
  [`  ${"a".repeat(SEARCH_LENGTH)}`, "a".repeat(SEARCH_LENGTH)],
])("The search text %j becomes %j, which the database can take", (typed, text) => {
  expect(cutSearchText(typed)).toBe(text);
});
