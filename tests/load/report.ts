import { tableHead, tableRow, writeFigures, writtenBy } from "../../tools/figures.ts";

export type Section = {
  title: string;
  /** What was measured and against which floor, in a sentence or two. */
  about: string;
  header: string[];
  rows: string[][];
  /** What was measured of everything that has a budget; the bench fails when one is missed. */
  outcomes?: Outcome[];
};

/** A budget and what was measured against it, both in words. */
export type Outcome = { name: string; budget: string; measured: string; isMissed: boolean };

/** @param show writes both the measured value and the budget */
export const atMost = (
  name: string,
  measured: number,
  budget: number,
  show: (value: number) => string = String,
): Outcome => ({
  name,
  budget: `at most ${show(budget)}`,
  measured: show(measured),
  isMissed: !(measured <= budget),
});

/** @param show writes both the measured value and the budget */
export const atLeast = (
  name: string,
  measured: number,
  budget: number,
  show: (value: number) => string = String,
): Outcome => ({
  name,
  budget: `at least ${show(budget)}`,
  measured: show(measured),
  isMissed: !(measured >= budget),
});

/** With two decimals. */
export const inHundredths = (value: number) => value.toFixed(2);

export const inSeconds = (seconds: number) => `${seconds.toFixed(2)} s`;

/** Writes a measurement that ran to its end into docs/figures, in place of its former figures. */
export async function writeMeasurement(name: string, sections: Section[]): Promise<void> {
  const settings = Object.entries(process.env).filter(([key]) => key.startsWith("BENCH_"));
  const command = [...settings.map(([key, value]) => `${key}=${value}`), `npm run bench -- ${name}`].join(
    " ",
  );
  await writeFigures(`${name}.md`, [
    `# Bench: ${name}`,
    "",
    writtenBy(command),
    "",
    describeSections(sections),
  ]);
}

/** The text and table of each section. */
export const describeSections = (sections: Section[]) => sections.map(sectionText).join("\n");

function sectionText({ title, about, header, rows }: Section): string {
  return [`## ${title}`, "", wrapped(about), "", ...tableHead(header), ...rows.map(tableRow), ""].join("\n");
}

/** Paragraphs in lines of at most 120 characters. */
const wrapped = (text: string) =>
  text
    .split("\n")
    .map((line) => line.replaceAll(/(.{1,120})(?: +|$)/g, "$1\n").trimEnd())
    .join("\n");

export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

/** The median, with the lowest and the highest reading in brackets. */
export function spread(readings: number[], digits: number): string {
  const [low, middle, high] = [Math.min(...readings), percentile(readings, 0.5), Math.max(...readings)];
  return `${middle.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}

/** The value below which the given share of the readings lies. */
export function percentile(readings: number[], share: number): number {
  const sorted = [...readings].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
