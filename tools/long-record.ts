import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";

export type LongRun = {
  name: string;
  about: string;
  commit: string;
  machine: string;
  /** What random samples were drawn from. */
  seed: string;
  result: string;
};

const page = join(import.meta.dirname, "../docs/reliability.md");
const [begin, end] = ["<!-- long runs -->", "<!-- end of long runs -->"];

/** The processors of this machine, as many as a process may use, and its memory. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.replace(/\(R\)|\(TM\)/g, "") ?? "unknown processor";
  return `${availableParallelism()} × ${model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GB`;
}

/** The commit that is checked out, and whether files differ from it: others than the page that earlier parts have written. */
export function commitOf(folder: string): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  const changes = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/reliability.md");
  return git("rev-parse", "--short", "HEAD") + (changes ? " with changes" : "");
}

/** Puts a run's row into a table of long runs, in place of the part's former one. */
export function withRun(text: string, run: LongRun, day: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has lost its marks`);
  const cells = [`\`${run.name}\``, run.about, day, run.commit, run.machine, run.seed, run.result];
  const row = `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const lines = text.slice(from, to).trimEnd().split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| \`${run.name}\` |`));
  if (at < 0) lines.push(row);
  else lines[at] = row;
  return `${text.slice(0, from)}${lines.join("\n")}\n\n${text.slice(to)}`;
}

/** Writes into docs/reliability.md when a part ran, at which commit, with which result. */
export async function recordRun(run: LongRun): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  await writeFile(page, withRun(await readFile(page, "utf8"), run, day));
}
