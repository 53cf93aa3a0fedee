import { expect, test } from "vitest";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { countDeadlocks } from "#tests/torture/stock-deadlocks.ts";

describeDatabase("Concurrent statements over many books and orders", (open) => {
  test("wait for one another and never deadlock", async () => {
    expect((await countDeadlocks(open(), 250)).failures).toEqual([]);
  }, 1_800_000);
});
