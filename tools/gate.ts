import { spawn } from "node:child_process";
import { join } from "node:path";
import { describeFailedPages } from "./failed-pages.ts";
import { listUnstable, MOST_UNSTABLE } from "./unstable.ts";

/** A failed test is run once again: see decision 32. */
const retried = ["--retry=1", "--reporter=default", "--reporter=./tools/unstable-reporter.ts"];

type Part = { name: string; command: string[]; fast: boolean };

/** All that must hold before a change lands, in the order in which a failure is cheapest to find. */
const parts: Part[] = [
  { name: "format and lint", command: ["biome", "ci", "--error-on-warnings"], fast: true },
  { name: "route types", command: ["react-router", "typegen"], fast: true },
  { name: "types", command: ["tsc", "--noEmit"], fast: true },
  { name: "dead code", command: ["knip"], fast: true },
  { name: "packages with known flaws", command: ["node", "tools/audit.ts"], fast: false },
  { name: "unit", command: ["vitest", "run", "--project", "unit", ...retried], fast: true },
  {
    // One run, so that no core is idle while a part's last file ends.
    name: "database, contract and installation",
    command: [
      "vitest",
      "run",
      ...["database", "contract", "packaging", "timed"].flatMap((project) => ["--project", project]),
      ...retried,
    ],
    fast: false,
  },
  { name: "build and e2e", command: ["playwright", "test", "--retries=1"], fast: false },
];

type Count = Record<"passed" | "failed" | "skipped", number>;

const onlyFast = process.argv.includes("--fast");
const root = join(import.meta.dirname, "..");
const total: Count = { passed: 0, failed: 0, skipped: 0 };
const durations: string[] = [];
const failures: string[] = [];
const unstable: string[] = [];

for (const part of parts) {
  if (onlyFast && !part.fast) continue;
  console.log(`\n── ${part.name} ──`);
  const startedAt = performance.now();
  const { code, output } = await run(part.command);
  durations.push(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${part.name}`);
  addCounts(output);
  unstable.push(...listUnstable(output));
  if (code !== 0) failures.push(part.name);
  if (part.command[0] === "playwright") console.log(describeFailedPages(join(root, "test-results")));
}

console.log(`\nDurations\n${durations.join("\n")}`);
if (unstable.length > 0)
  console.log(
    `\nUnstable: failed, and passed when run again\n${unstable.map((name) => `    ${name}`).join("\n")}`,
  );
if (unstable.length > MOST_UNSTABLE) failures.push(`more than ${MOST_UNSTABLE} unstable tests`);
if (failures.length > 0) console.log(`\nNot passed: ${failures.join(", ")}`);
console.log(
  `\n${total.passed} passed, ${total.failed} failed, ${unstable.length} unstable, ${total.skipped} skipped`,
);
process.exit(failures.length > 0 || (!onlyFast && total.passed === 0) ? 1 : 0);

/** Runs a tool of node_modules, shows what it prints and keeps it for the counts. */
async function run([tool, ...args]: string[]): Promise<{ code: number; output: string }> {
  const program = tool === "node" ? process.execPath : join(root, "node_modules/.bin", tool ?? "");
  const child = spawn(program, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1" },
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => process.stderr.write(chunk));
  const code = await new Promise<number>((resolve) => {
    child.once("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once("close", (exitCode) => resolve(exitCode ?? 1));
  });
  return { code, output };
}

/** Adds a runner's closing counts: Vitest writes them on one line, Playwright one a line. */
function addCounts(output: string): void {
  const vitest = /^\s*Tests\s+(.*)$/m.exec(output)?.[1];
  const lines =
    vitest ??
    output
      .split("\n")
      .filter((line) => /^\s+\d+ (passed|failed|skipped|flaky)\b/.test(line))
      .join(" ");
  for (const kind of ["passed", "failed", "skipped"] as const) {
    total[kind] += Number(new RegExp(`(\\d+) ${kind}`).exec(lines)?.[1] ?? 0);
  }
}
