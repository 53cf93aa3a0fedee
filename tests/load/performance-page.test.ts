import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { performancePage, splitPage, withTable } from "./performance-page.ts";
import { atMost } from "./report.ts";

const origin = { commit: "1a2b3c4d", day: "2026-11-30", machine: "2 × Processor, 24 GB", node: "24.0.0" };
const empty = "# Title\n\n<!-- Written by `npm run bench`: begin -->\n<!-- end -->\n\nText.\n";

/** What only a measurement can know: quantities with a unit, days, commits. */
const measuredIn = (text: string) =>
  text.match(
    /\b\d[\d.,]*[\s-]?(?:ms|s|seconds?|minutes?|hours?|bytes|[kMG]B|%|points?|times)(?!\w)|\b20\d\d-\d\d-\d\d\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b/g,
  ) ?? [];

const measured = /^Commit ([0-9a-f]{7,40}), (20\d\d-\d\d-\d\d), .+: (\d+) of (\d+) budgets missed\.$/gm;

describe("docs/performance.md", () => {
  test("has figures only in the table that the whole bench writes", async () => {
    const { before, after } = splitPage(await readFile(performancePage, "utf8"));
    expect(measuredIn(before + after)).toEqual([]);
  });

  test("names one commit for its whole table, and as many missed budgets as the table has", async () => {
    const { written } = splitPage(await readFile(performancePage, "utf8"));
    const origins = [...written.matchAll(measured)].map(([, commit, , missed, all]) => ({
      commit,
      missed: Number(missed),
      all: Number(all),
    }));
    const rows = written.split("\n").filter((line) => /^\|.*\| (?:reached|\*\*missed\*\*) \|$/.test(line));
    const missed = rows.filter((row) => row.includes("**missed**")).length;
    expect(origins).toEqual([{ commit: expect.any(String), missed, all: rows.length }]);
    expect(rows.length).toBeGreaterThan(0);
  });
});

test("puts a run's budgets in place of those of the run before, and leaves the text", () => {
  const first = withTable(empty, origin, [atMost("Starts", 2, 1)]);
  const second = withTable(first, { ...origin, commit: "5e6f7a8b" }, [atMost("Weight", 3, 4)]);
  expect(second).not.toContain("Starts");
  expect(second).toContain(
    "Commit 5e6f7a8b, 2026-11-30, 2 × Processor, 24 GB, Node 24.0.0: 0 of 1 budgets missed.",
  );
  expect(second).toContain("| Weight | at most 4 | 3 | reached |");
  expect(splitPage(second)).toMatchObject({ before: "# Title\n\n", after: "\n\nText.\n" });
});

test("finds times, sizes, shares, days and commits in a text, and no plain numbers", () => {
  const text =
    "On 2026-11-29 at commit 61309f2a 12.6 s, 85 ms, 169 MB, 98 % and 0.9 times; 24 books, decision 43 and 2 cores";
  expect(measuredIn(text)).toEqual([
    "2026-11-29",
    "61309f2a",
    "12.6 s",
    "85 ms",
    "169 MB",
    "98 %",
    "0.9 times",
  ]);
});
