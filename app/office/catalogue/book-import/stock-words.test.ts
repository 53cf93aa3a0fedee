import { expect, test } from "vitest";
import { stockWords } from "./stock-words.ts";

test("says how many stocks change, have moved since the export, and stay", () => {
  expect(stockWords({ stock_changed: 0, stock_moved: 0, stock_kept: 0 })).toBe("");
  expect(stockWords({ stock_changed: 2, stock_moved: 1, stock_kept: 0 })).toBe(
    "The stock of 2 books changes. 1 book has been sold or received since the export: the stock stays as it is now.",
  );
  expect(stockWords({ stock_changed: 0, stock_moved: 0, stock_kept: 33 })).toBe(
    "The file gives a different stock for 33 books that the shop already has; their stock stays as it is.",
  );
});
