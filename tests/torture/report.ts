import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";

export type Outcome = { name: string; promise: string; seed: number; figures: string; held: boolean };

const page = join(import.meta.dirname, "../../docs/reliability.md");
const [begin, end] = ["<!-- figures of the last run -->", "<!-- end of figures -->"];

/** Puts the figures of a run into docs/reliability.md, in place of the former ones. */
export async function writeFigures(outcomes: Outcome[], now: Date): Promise<void> {
  const lines = outcomes.map(
    ({ name, promise, seed, figures }) => `- **${name}** (seed ${seed}): ${promise}. ${figures}.`,
  );
  const text = await readFile(page, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`${page} has lost its marks`);
  const figures = [
    begin,
    "",
    `Run on ${now.toISOString().slice(0, 10)}, ${cpus().length} cores, Node ${process.versions.node}.`,
    "",
    ...lines,
    "",
  ];
  await writeFile(page, `${text.slice(0, from)}${figures.join("\n")}\n${text.slice(to)}`);
}
