import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";

/* docs/figures: what commands have measured. Only they write there, and each file's first lines name its command. */

const root = join(import.meta.dirname, "..");
const folder = join(root, "docs/figures");

/** The processors of this machine, as many as a process may use, and its memory. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.replace(/\(R\)|\(TM\)/g, "") ?? "unknown processor";
  return `${availableParallelism()} × ${model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GB`;
}

/** The commit that is checked out, and whether files differ from it, apart from figures that earlier runs have written. */
export function describeCommit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  try {
    const changes = git(
      "status",
      "--porcelain",
      "--untracked-files=no",
      "--",
      ".",
      ":!docs/figures",
      ":!docs/performance.md",
    );
    return git("rev-parse", "--short", "HEAD") + (changes ? " with changes" : "");
  } catch {
    // A copy of the project without its history can be measured too.
    return "unknown";
  }
}

export const today = () => new Date().toISOString().slice(0, 10);

/** A file's second line: where its figures come from. */
export const writtenBy = (command: string) =>
  `Written by \`${command}\` on ${today()}, commit ${describeCommit()}, ${describeMachine()}, Node ${process.versions.node}.`;

export const tableRow = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

export const tableHead = (cells: readonly string[]) => [tableRow(cells), tableRow(cells.map(() => "---"))];

/** The rows of a text's table, without its head. */
export const rowsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2);

/** A file's text, or nothing before a command has written it. */
export const readFigures = (name: string) => readFile(join(folder, name), "utf8").catch(() => "");

export async function writeFigures(name: string, lines: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `${lines.join("\n").trimEnd()}\n`);
}
