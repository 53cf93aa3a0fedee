import { expect, test } from "vitest";
import { rowsOf } from "./figures.ts";
import { withGate } from "./gate-record.ts";

const run = {
  ...{ commit: "abc1234", machine: "2 cores", beside: "load average 0.4", seconds: 1051.4, processor: 726.2 },
  ...{ passed: 6074, failed: [], unstable: [] },
};
const lastRow = (text: string, more: Partial<typeof run | { processor: null; failed: string[] }> = {}) =>
  rowsOf(withGate(text, { ...run, ...more }, "2026-11-29").join("\n")).at(-1);

test("adds a run's row behind those of earlier runs", () => {
  const row = "| 2026-11-29 | abc1234 | 2 cores | load average 0.4 | 1,051 | 726 s | 6,074 | 0 | 0 |";
  expect(lastRow("")).toBe(row);
  const twice = withGate(withGate("", run, "2026-11-29").join("\n"), run, "2026-11-29").join("\n");
  expect(rowsOf(twice)).toEqual([row, row]);
});

test("names what failed, and says where the processor time is not known", () => {
  expect(lastRow("", { processor: null, failed: ["types", "a.test.ts, adds a | b"] })).toBe(
    "| 2026-11-29 | abc1234 | 2 cores | load average 0.4 | 1,051 | not known | 6,074 | 2: types; a.test.ts, adds a \\| b | 0 |",
  );
});
