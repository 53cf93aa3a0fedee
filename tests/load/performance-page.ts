import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeCommit, describeMachine, tableHead, tableRow, today } from "../../tools/figures.ts";
import type { Outcome } from "./report.ts";

/* docs/performance.md: prose without figures, and a table that only the whole bench writes. */

export const performancePage = join(import.meta.dirname, "../../docs/performance.md");

const [begin, end] = ["<!-- Written by `npm run bench`: begin -->", "<!-- end -->"];

/** @throws Error unless the page has exactly one place for the table */
export function splitPage(page: string): { before: string; written: string; after: string } {
  const [before = "", rest = "", ...moreBegins] = page.split(begin);
  const [written = "", after = "", ...moreEnds] = rest.split(end);
  if (!rest || !after || moreBegins.length + moreEnds.length > 0)
    throw new Error(`docs/performance.md needs "${begin}" and "${end}", once each`);
  return { before, written, after };
}

/** Which commit is measured, when and where. A run that changes files is described before it begins. */
export function describeOrigin() {
  return { commit: describeCommit(), day: today(), machine: describeMachine(), node: process.versions.node };
}

/** @returns the page with this table in place of the former one */
export function withTable(
  page: string,
  { commit, day, machine, node }: ReturnType<typeof describeOrigin>,
  outcomes: Outcome[],
): string {
  const { before, after } = splitPage(page);
  const missed = outcomes.filter(({ isMissed }) => isMissed).length;
  const lines = [
    begin,
    "",
    `Commit ${commit}, ${day}, ${machine}, Node ${node}: ${missed} of ${outcomes.length} budgets missed.`,
    "",
    ...tableHead(["Measurement", "Budget", "Measured", ""]),
    ...outcomes.map(({ name, budget, measured, isMissed }) =>
      tableRow([name, budget, measured, isMissed ? "**missed**" : "reached"]),
    ),
    "",
    end,
  ];
  return before + lines.join("\n") + after;
}

/** Writes what the whole bench has measured into docs/performance.md, unless files differed from the commit that it would name. */
export async function writePerformance(
  origin: ReturnType<typeof describeOrigin>,
  outcomes: Outcome[],
): Promise<void> {
  if (!/^[0-9a-f]+$/.test(origin.commit)) {
    console.error(
      `docs/performance.md is not written: its figures would not be those of a commit (${origin.commit})`,
    );
    return;
  }
  await writeFile(performancePage, withTable(await readFile(performancePage, "utf8"), origin, outcomes));
}
