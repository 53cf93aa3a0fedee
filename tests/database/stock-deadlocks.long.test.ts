import { expect, test } from "vitest";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { countDeadlocks } from "#tests/torture/stock-deadlocks.ts";

describeDatabase("Concurrent statements over many books and orders", (open) => {
  test("wait for one another and never deadlock", async () => {
    expect((await countDeadlocks(open(), inGateOrLong(5, 50))).failures).toEqual([]);
  });
});
