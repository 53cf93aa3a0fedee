import { writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

export type Section = {
  title: string;
  /** What was measured and against which floor, in a sentence or two. */
  about: string;
  header: string[];
  rows: string[][];
  /** Budgets for which the bench fails, each with what was measured in their place. */
  missed?: string[];
};

const reportFile = join(import.meta.dirname, "../../docs/performance.md");

/** Prints the results, and writes them to docs/performance.md if all measurements have run. */
export async function writeReport(sections: Section[], { complete }: { complete: boolean }): Promise<void> {
  const text = sections.map(sectionText).join("\n");
  console.log(`\n${text}`);
  if (!complete) return;
  const [cpu] = cpus();
  const machine = `${cpus().length} cores (${cpu?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
  const about = `Measured by \`npm run bench\` on ${machine}. Only one part: \`npm run bench -- weight\`. Times differ from machine to machine; compare the ratios, whose floor was measured in the same run.`;
  await writeFile(reportFile, `# Performance\n\n${wrapped(about)}\n\n${text}`);
}

function sectionText({ title, about, header, rows }: Section): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [
    `## ${title}`,
    "",
    wrapped(about),
    "",
    line(header),
    line(header.map(() => "---")),
    ...rows.map(line),
    "",
  ].join("\n");
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
