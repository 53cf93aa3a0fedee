import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { RowTally } from "./tally.ts";

const tallyOf = (...rows: string[]) => {
  const tally = new RowTally();
  for (const row of rows) tally.add(row);
  return tally.result();
};

test("Rows are counted, and their sum does not depend on their order", () => {
  expect(tallyOf()).toEqual({ rows: 0, checksum: "0".repeat(64) });
  expect(tallyOf("a", "b", "c")).toEqual(tallyOf("c", "a", "b"));
  expect(tallyOf("a", "b")).toMatchObject({ rows: 2 });
});

test("The sum of one row is its hash, and every row counts", () => {
  expect(tallyOf("a").checksum).toBe(createHash("sha256").update("a").digest("hex"));
  const sums = [tallyOf("a"), tallyOf("a", "b"), tallyOf("a", "c"), tallyOf("b")].map(
    ({ checksum }) => checksum,
  );
  expect(new Set(sums).size).toBe(4);
});
