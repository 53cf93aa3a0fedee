import { randomInt } from "node:crypto";
import { loadavg } from "node:os";
import { describeCommit, describeMachine } from "./figures.ts";
import { type Part, type PartResult, runPart } from "./gate-part.ts";
import { recordGate } from "./gate-record.ts";
import { commandOf, judge } from "./gate-verdict.ts";
import { stopGroupsOnSignals } from "./process-groups.ts";
import { measureProcessorTime } from "./processor-time.ts";
import { openScratch } from "./scratch.ts";
import type { TestResult } from "./test-report.ts";

const suite = (name: string, about: Partial<Part> = {}): Part[] => [
  { name, command: ["vitest", "run", "--project", name], ...about },
];

/**
 * All checks that must pass before a change is merged, those that fail fastest first (decision 32). Those in one row run
 * in parallel, because each leaves a core idle; a suite has both cores to itself.
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
  ],
  [{ name: "build", command: ["node", "scripts/build.ts"] }],
  suite("unit", { fast: true }),
  suite("database"),
  suite("contract"),
  suite("embedded"),
  suite("pages"),
  [{ name: "e2e", command: ["playwright", "test"] }],
];

/** Each is a line at the end of a run: a file or a test that takes this long deserves a look. */
const slow = { file: 10, test: 2 };
const DEAREST_FILES = 15;

const onlyFast = process.argv.includes("--fast");
/** `npm test -- --record` adds this run to docs/figures/gates.md. */
const isRecorded = process.argv.includes("--record") && !onlyFast;
const start = isRecorded ? { commit: describeCommit(), load: loadavg()[0] ?? 0 } : null;
const seed = process.env.TEST_SEED ?? String(randomInt(2 ** 31));
process.env.TEST_SEED = seed;
const processorTime = measureProcessorTime();
const scratch = openScratch();
process.once("exit", scratch.remove);
stopGroupsOnSignals();

const results: PartResult[] = [];
const durations: string[] = [];

for (const row of rows) {
  const parts = row.filter(({ fast }) => fast || !onlyFast);
  if (parts.length === 0) continue;
  const before = { seconds: performance.now() / 1000, processor: processorTime() };
  results.push(...(await Promise.all(parts.map((part) => runPart(part, scratch.folder, parts.length > 1)))));
  describeDuration(parts.map(({ name }) => name).join(", "), before);
}

const beforeRepeats = { seconds: performance.now() / 1000, processor: processorTime() };
const verdict = await judge(results, async (test) => {
  const [command, name] = [commandOf(test), `once more, alone: ${describeTest(test)}`];
  const { code, tests } = await runPart({ name, command }, scratch.folder, false);
  return code === 0 && tests.some(({ state }) => state === "passed");
});
if (verdict.unstable.length > 0) describeDuration("failed tests once more", beforeRepeats);
describeDuration("all", { seconds: 0, processor: 0 });
const total = { seconds: performance.now() / 1000, processor: processorTime() };

const tests = results.flatMap((result) => result.tests);
const secondsOf = sumSeconds(tests);
const inRed = (line: string) => (process.stdout.isTTY ? `\u001b[31m${line}\u001b[0m` : line);

printList("Time: seconds, seconds of processor time", durations);
printList(
  `The ${DEAREST_FILES} files that take longest`,
  secondsOf
    .slice(0, DEAREST_FILES)
    .map(([file, seconds]) => describeSeconds(seconds, file))
    .map((line, index) => ((secondsOf[index]?.[1] ?? 0) > slow.file ? inRed(`${line}  too long`) : line)),
);
printList(
  `Tests below the browser of more than ${slow.test} s`,
  tests
    .filter(({ project, seconds }) => project !== "e2e" && seconds > slow.test)
    .sort((a, b) => b.seconds - a.seconds)
    .map((test) => inRed(describeSeconds(test.seconds, describeTest(test)))),
);
printList("Skipped on this machine", [...new Set(results.flatMap(({ skipped }) => skipped))]);
for (const failure of verdict.failed)
  console.log(
    `\nNot passed: ${"lastLines" in failure ? `${failure.name}\n${failure.lastLines}` : `${describeTest(failure)}\n${failure.problem}`}`,
  );
console.log(`\nSeed ${seed}`);
for (const test of verdict.unstable)
  console.log(`unstable: ${describeTest(test)}, TEST_SEED=${seed}\n${test.problem}`);
const count = (state: TestResult["state"]) => tests.filter((test) => test.state === state).length;
const passed = count("passed") + verdict.unstable.length;
console.log(`\n${passed} passed, ${verdict.failed.length} failed, ${count("skipped")} skipped`);
if (start)
  await recordGate({
    ...{ ...total, passed, commit: start.commit, machine: describeMachine() },
    beside: `load average ${start.load.toFixed(1)} at its start`,
    failed: verdict.failed.map((failure) => ("lastLines" in failure ? failure.name : describeTest(failure))),
    unstable: verdict.unstable.map(describeTest),
  });
process.exit(verdict.passes && count("passed") > 0 ? 0 : 1);

function describeDuration(name: string, since: { seconds: number; processor: number | null }): void {
  const processor = processorTime();
  const used = processor === null || since.processor === null ? null : processor - since.processor;
  const columns = [performance.now() / 1000 - since.seconds, used].map((value) =>
    (value === null ? "-" : value.toFixed(0)).padStart(6),
  );
  durations.push(`${columns.join("")}  ${name}`);
}

function describeTest({ file, title }: TestResult): string {
  return [file, title].filter(Boolean).join(", ") || "an error outside of tests";
}

function describeSeconds(seconds: number, what: string): string {
  return `${seconds.toFixed(1).padStart(6)}  ${what}`;
}

/** The time of each file's tests, longest first. */
function sumSeconds(all: readonly TestResult[]): [file: string, seconds: number][] {
  const sums = new Map<string, number>();
  for (const { file, seconds } of all) sums.set(file, (sums.get(file) ?? 0) + seconds);
  return [...sums].sort(([, a], [, b]) => b - a);
}

function printList(title: string, lines: string[]): void {
  if (lines.length > 0) console.log(`\n${title}\n${lines.map((line) => `  ${line}`).join("\n")}`);
}
