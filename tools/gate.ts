import { type Part, runPart } from "./gate-part.ts";
import { openScratch } from "./scratch.ts";

const vitest = (...projects: string[]) => [
  "vitest",
  "run",
  ...projects.flatMap((project) => ["--project", project]),
];

/**
 * All checks that must pass before a change is merged, those that fail fastest first. The checks in one row run in
 * parallel: alone, each of them leaves a core idle. The last two keep both cores busy by themselves: together they
 * would take as long, and each test several times as long as a person waits.
 */
const rows: Part[][] = [
  [
    { name: "format and lint", command: ["biome", "ci", "--error-on-warnings"], fast: true },
    { name: "route types", command: ["react-router", "typegen"], fast: true },
    { name: "packages with known flaws", command: ["node", "tools/audit.ts"] },
  ],
  [
    { name: "types", command: ["tsc", "--noEmit"], fast: true },
    { name: "dead code", command: ["knip"], fast: true },
    { name: "build", command: ["node", "scripts/build.ts"] },
  ],
  [{ name: "unit", command: vitest("unit"), fast: true }],
  [
    {
      name: "database, contract, processes, pages and installation",
      command: vitest("database", "contract", "embedded", "pages", "packaging"),
    },
  ],
  [{ name: "e2e", command: ["playwright", "test"] }],
];

const onlyFast = process.argv.includes("--fast");
const scratch = openScratch();
process.once("exit", scratch.remove);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const total = { passed: 0, failed: 0, skipped: 0 };
const durations: string[] = [];
const failures: { name: string; text: string }[] = [];
const skips = new Set<string>();

for (const row of rows) {
  const parts = row.filter(({ fast }) => fast || !onlyFast);
  const results = await Promise.all(parts.map((part) => runPart(part, scratch.folder, parts.length > 1)));
  for (const { name, code, seconds, counts, skipped, failures: text } of results) {
    durations.push(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
    for (const kind of ["passed", "failed", "skipped"] as const) total[kind] += counts[kind];
    for (const reason of skipped) skips.add(reason);
    if (code !== 0) failures.push({ name, text });
  }
}

console.log(`\nDurations\n${durations.join("\n")}`);
if (skips.size > 0)
  console.log(`\nSkipped on this machine\n${[...skips].map((line) => `    ${line}`).join("\n")}`);
for (const { name, text } of failures) console.log(`\nNot passed: ${name}\n${text}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(failures.length > 0 || (!onlyFast && total.passed === 0) ? 1 : 0);
