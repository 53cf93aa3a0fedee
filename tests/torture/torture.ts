import { parseArgs } from "node:util";
import { ignoreLostConnections } from "./lost-connections.ts";
import { mustFinish } from "./must-finish.ts";
import { parts } from "./parts.ts";
import { type Outcome, writeOutcomes } from "./report.ts";

/*
 * npm run torture -- --minutes N [--seed S] [part …]: the long runs behind docs/reliability.md. Their figures are written
 * to docs/figures/torture.md when all parts ran. Ends with code 1 when anything did not hold.
 */

ignoreLostConnections();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string" } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const unknown = positionals.find((name) => !parts.some((part) => part.name === name));
if (!(minutes > 0) || !Number.isInteger(seed) || unknown) {
  console.error(
    `Usage: npm run torture -- --minutes N [--seed S] [part …]; parts: ${parts.map(({ name }) => name).join(", ")}`,
  );
  process.exit(1);
}

const outcomes: Outcome[] = [];
await mustFinish("torture", async () => {
  const chosen = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const weights = chosen.reduce((sum, { weight }) => sum + weight, 0);
  for (const part of chosen) {
    const problem = (await part.findProblem?.()) ?? null;
    if (problem) {
      console.log(`${part.name}: SKIPPED, ${problem}`);
      outcomes.push({ ...part, seed, figures: `skipped: ${problem}`, held: true });
      continue;
    }
    console.log(`${part.name} (seed ${seed}) …`);
    const started = Date.now();
    const until = started + (minutes * 60_000 * part.weight) / weights;
    try {
      const figures = await part.run({ seed, until, tell: (line) => console.log(`  ${line}`) });
      const took = `${Math.round((Date.now() - started) / 1000)} s`;
      console.log(`  ${figures} (${took})`);
      outcomes.push({ ...part, seed, figures: `${figures}, in ${took}`, held: true });
    } catch (error) {
      console.error(`  ${(error as Error).message}`);
      outcomes.push({
        ...part,
        seed,
        figures: `did not hold: ${(error as Error).message.split("\n")[0]}`,
        held: false,
      });
    }
  }
  if (positionals.length === 0) await writeOutcomes(outcomes, `npm run torture -- --minutes ${minutes}`);
});
process.exit(outcomes.every(({ held }) => held) ? 0 : 1);
