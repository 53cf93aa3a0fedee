import { spawn } from "node:child_process";
import { mkdir, open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type LongPart, longParts } from "./long-parts.ts";
import { commitOf, recordRun } from "./long-record.ts";

/*
 * npm run test:long -- [--minutes N] [part …]: what is worth a night and not a merge. One line per part; its whole output
 * is in .cache/long, and docs/reliability.md says when each part last ran.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "60" } },
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

let failures = 0;
for (const part of parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const started = performance.now();
  const { code, output } = await run(part);
  const result = code === 0 ? part.figures(output) : `failed, see .cache/long/${part.name}.log`;
  if (code !== 0) failures += 1;
  const took = `${((performance.now() - started) / 60_000).toFixed(1)} minutes`;
  console.log(`${part.name}: ${result} (${took})`);
  await recordRun({ ...part, commit: commitOf(root), result: `${result}, in ${took}` });
}
process.exit(failures > 0 ? 1 : 0);

/** Runs a part's commands one after the other until one fails. */
async function run({ name, commands, env, underLoad }: LongPart): Promise<{ code: number; output: string }> {
  const log = await open(join(logs, `${name}.log`), "w");
  const load = underLoad ? loadAllCores() : [];
  let output = "";
  let code = 0;
  for (const [program = "", ...args] of commands) {
    const file = program === "node" ? process.execPath : join(root, "node_modules/.bin", program);
    const child = spawn(file, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", ...env },
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        void log.write(chunk);
      });
    code = await new Promise<number>((resolve) => {
      child.once("error", () => resolve(1));
      child.once("close", (exitCode) => resolve(exitCode ?? 1));
    });
    if (code !== 0) break;
  }
  for (const busy of load) busy.kill();
  await log.close();
  return { code, output };
}

/** A process for each core that does nothing but count, as other work on the same machine. */
const loadAllCores = () =>
  Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
