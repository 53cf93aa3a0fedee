import { expect, test } from "vitest";
import { rowsOf } from "./figures.ts";
import { withRun } from "./long-record.ts";

const run = {
  ...{ name: "million", about: "a million", commit: "abc1234", machine: "2 cores", seed: "7" },
  result: "every budget was kept | yes",
};
const row = "| `million` | a million | 2026-11-23 | abc1234 | 2 cores | 7 | every budget was kept \\| yes |";
const table = (...rows: string[]) => ["# Nights", "", "| Part | What |", "| --- | --- |", ...rows].join("\n");
const rowsWithRun = (text: string) => rowsOf(withRun(text, run, "2026-11-23").join("\n"));

test("adds the row of a part that never ran behind the others", () => {
  const other = "| `torture` | all | 2026-11-01 | | | | |";
  expect(rowsWithRun(table(other))).toEqual([other, row]);
});

test("replaces the row of a part that ran before in its place", () => {
  const others = [
    "| `races` | all | 2026-11-01 | | | | |",
    "| `torture` | all | 2026-11-01 | | | | |",
  ] as const;
  const before = "| `million` | a million | 2026-11-01 | 0000000 | 2 cores | 1 | failed |";
  expect(rowsWithRun(table(others[0], before, others[1]))).toEqual([others[0], row, others[1]]);
});

test("begins the table with the first part that runs", () => {
  const lines = withRun("", run, "2026-11-23");
  expect(lines.slice(0, 3).join("\n")).toContain("Written by `npm run test:long`");
  expect(rowsOf(lines.join("\n"))).toEqual([row]);
});
