import { writeFigures, writtenBy } from "../../tools/figures.ts";

export type Outcome = { name: string; promise: string; seed: number; figures: string; held: boolean };

/** Writes the figures of a run into docs/figures/torture.md, in place of the former ones. @param command what was run */
export async function writeOutcomes(outcomes: Outcome[], command: string): Promise<void> {
  const lines = outcomes.map(
    ({ name, promise, seed, figures }) => `- **${name}** (seed ${seed}): ${promise}. ${figures}.`,
  );
  await writeFigures("torture.md", ["# The last long run", "", writtenBy(command), "", ...lines]);
}
