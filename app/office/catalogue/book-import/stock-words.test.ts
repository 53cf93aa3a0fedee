import { expect, test } from "vitest";
import { stockWords } from "./stock-words.ts";

test("says what an import does to stocks, and how many books keep what was changed since the export", () => {
  const none = { stock_changed: 0, stock_moved: 0, stock_kept: 0, fields_moved: 0 };
  expect(stockWords(none)).toBe("");
  expect(stockWords({ ...none, stock_changed: 2, stock_moved: 1 })).toBe(
    "The stock of 2 books changes. 1 book has been sold or received since the export: the stock stays as it is now.",
  );
  expect(stockWords({ ...none, stock_kept: 33 })).toBe(
    "The file gives a different stock for 33 books that the shop already has; their stock stays as it is.",
  );
  expect(stockWords({ ...none, fields_moved: 1 })).toBe(
    "1 book was changed in the shop since the export; those changes stay.",
  );
});
