import { expect, test } from "vitest";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { inGateOrLong, isLong } from "#tests/support/long.ts";
import { searchStock } from "#tests/torture/stock-search.ts";

describeDatabase("Random requests over books and orders", (open) => {
  test("leave stock and orders as the rules require, one by one and two at a time", async () => {
    const figures = await searchStock(open(), { seed: 20261121, sequences: inGateOrLong(20, 400) });
    expect(figures.sequences).toBeGreaterThanOrEqual(20);
    for (const outcome of [
      "place: done",
      "place: insufficient_stock",
      "set status: done",
      // One sequence in 30 meets it, and which of two requests comes first is not in the seed; order-stock.test.ts always does.
      ...(isLong ? ["set status: insufficient_stock"] : []),
      "change order: done",
      "return: done",
      "delete order: done",
      "restore order: done",
      "delete book: done",
      "restore book: done",
      "import stock: done",
    ])
      expect(figures.outcomes[outcome], outcome).toBeGreaterThan(0);
  });
});
