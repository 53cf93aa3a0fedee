import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeCommit, describeMachine } from "./figures.ts";
import { type LongPart, longParts } from "./long-parts.ts";
import { recordRun } from "./long-record.ts";
import { startGroup, stopGroupsOnSignals } from "./process-groups.ts";
import { readReport, reportTo, type TestResult } from "./test-report.ts";

/*
 * npm run test:long -- [--minutes N] [part …]: what is worth a night and not a merge (decision 32). One line per part; its
 * whole output is in .cache/long, and docs/figures/nights.md says when each part last ran. TEST_SEED=N repeats a run's samples.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "30" } },
});
const minutes = Number(values.minutes);
const parts = longParts(minutes);
const unknown = positionals.find((word) => !parts.some(({ name }) => name === word));
if (!(minutes > 0) || unknown) {
  const names = parts.map(({ name }) => name).join(", ");
  console.error(`Usage: npm run test:long -- [--minutes N] [part …]; parts: ${names}`);
  process.exit(1);
}

const root = join(import.meta.dirname, "..");
const logs = join(root, ".cache/long");
await mkdir(logs, { recursive: true });
const seed = process.env.TEST_SEED ?? String(randomInt(2 ** 31));

stopGroupsOnSignals();

let failures = 0;
for (const part of parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const started = performance.now();
  const { code, output, tests } = await run(part);
  const figures = part.figures(output, tests);
  const result = code === 0 ? figures : `failed, see .cache/long/${part.name}.log: ${figures}`;
  if (code !== 0) failures += 1;
  const took = `${((performance.now() - started) / 60_000).toFixed(1)} minutes`;
  console.log(`${part.name}: ${result} (${took})`);
  await recordRun({
    ...part,
    commit: describeCommit(),
    machine: describeMachine(),
    seed,
    result: `${result}, in ${took}`,
  });
}
process.exit(failures > 0 ? 1 : 0);

/** Runs a part's commands one after the other, also those after one that fails. */
async function run({ name, commands, env, underLoad }: LongPart) {
  const log = await open(join(logs, `${name}.log`), "w");
  const report = join(logs, `${name}.jsonl`);
  await rm(report, { force: true });
  const load = underLoad ? loadAllCores() : [];
  let output = "";
  let code = 0;
  for (const [program = "", ...args] of commands) {
    const file = program === "node" ? process.execPath : join(root, "node_modules/.bin", program);
    const { child, ended } = startGroup(file, args, {
      cwd: root,
      env: {
        ...{ ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", TEST_SEED: seed },
        ...reportTo(report),
        ...env,
      },
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        void log.write(chunk);
      });
    const exitCode = await ended;
    code ||= exitCode;
  }
  for (const busy of load) busy.kill();
  await log.close();
  const tests: TestResult[] = readReport(report);
  return { code, output, tests };
}

/** A process for each core that does nothing but count, as other work on the same machine; none outlives this one. */
function loadAllCores(): ChildProcess[] {
  const count = "const parent = process.ppid; while (process.ppid === parent);";
  return Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", count], { stdio: "ignore" }),
  );
}
