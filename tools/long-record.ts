import { readFigures, rowsOf, tableHead, tableRow, today, writeFigures } from "./figures.ts";

export type LongRun = {
  name: string;
  about: string;
  commit: string;
  machine: string;
  /** What random samples were drawn from. */
  seed: string;
  result: string;
};

const head = [
  "# The night's parts",
  "",
  "Written by `npm run test:long`: the last run of each part.",
  "",
  ...tableHead(["Part", "What it does", "Day", "Commit", "Machine", "Seed", "Result"]),
];

/** The lines of the table with a run's row, in place of the part's earlier one. @param text the table before */
export function withRun(text: string, run: LongRun, day: string): string[] {
  const rows = rowsOf(text);
  const row = tableRow([
    `\`${run.name}\``,
    ...[run.about, day, run.commit, run.machine, run.seed, run.result],
  ]);
  const at = rows.findIndex((line) => line.startsWith(`| \`${run.name}\` |`));
  return [...head, ...(at < 0 ? [...rows, row] : rows.with(at, row))];
}

/** Writes into docs/figures/nights.md when a part ran, at which commit, with which result. */
export async function recordRun(run: LongRun): Promise<void> {
  await writeFigures("nights.md", withRun(await readFigures("nights.md"), run, today()));
}
