import { expect, test } from "vitest";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { searchStock } from "#tests/torture/stock-search.ts";

const LIMIT_MS = 1_800_000;

describeDatabase("Random requests over books and orders", (open) => {
  test(
    "leave stock and orders as the rules require, one by one and two at a time",
    async () => {
      const seed = Number(process.env.TEST_SEED);
      const { sequences, outcomes } = await searchStock(open(), { seed, sequences: 2_000 });
      expect(sequences).toBeGreaterThanOrEqual(2_000);
      for (const outcome of [
        "place: done",
        "place: insufficient_stock",
        "set status: done",
        "set status: insufficient_stock",
        "change order: done",
        "return: done",
        "delete order: done",
        "restore order: done",
        "delete book: done",
        "restore book: done",
        "import stock: done",
      ])
        expect(outcomes[outcome], outcome).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});
