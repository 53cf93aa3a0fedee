import { readFigures, rowsOf, tableHead, tableRow, today, writeFigures } from "./figures.ts";

export type GateRun = {
  commit: string;
  machine: string;
  /** What else the machine was doing when the run began. */
  beside: string;
  seconds: number;
  /** Seconds of processor time, where the system can tell. */
  processor: number | null;
  passed: number;
  /** What failed, and what failed once and then passed alone. */
  failed: readonly string[];
  unstable: readonly string[];
};

const head = [
  "# Runs of the gate",
  "",
  "Written by `npm test -- --record`: a row for each run. Processor time is that of every process that the run starts, PostgreSQL",
  "and browsers included; a test that failed and then passed alone is unstable.",
  "",
  ...tableHead(
    "Day, Commit, Machine, Beside it, Seconds, Processor time, Passed, Failed, Unstable".split(", "),
  ),
];

/** The lines of the table with a run's row behind the others. @param text the table before */
export function withGate(text: string, run: GateRun, day: string): string[] {
  const figure = (value: number) => Math.round(value).toLocaleString("en-GB");
  const named = (names: readonly string[]) => [names.length, names.join("; ")].filter(Boolean).join(": ");
  const row = tableRow([
    ...[day, run.commit, run.machine, run.beside, figure(run.seconds)],
    ...[run.processor === null ? "not known" : `${figure(run.processor)} s`, figure(run.passed)],
    ...[run.failed, run.unstable].map((names) => named(names) || "0"),
  ]);
  return [...head, ...rowsOf(text), row];
}

/** Adds a run's row to docs/figures/gates.md. */
export async function recordGate(run: GateRun): Promise<void> {
  await writeFigures("gates.md", withGate(await readFigures("gates.md"), run, today()));
}
