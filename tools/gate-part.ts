import { join } from "node:path";
import type { Readable } from "node:stream";
import { describeFailedPages } from "./failed-pages.ts";
import { startGroup } from "./process-groups.ts";
import { readReport, reportTo, type TestResult } from "./test-report.ts";

/** One tool with its arguments; `fast` ones run before each commit too. */
export type Part = { name: string; command: string[]; fast?: boolean };

export type PartResult = {
  name: string;
  code: number;
  seconds: number;
  tests: TestResult[];
  /** What this machine can't test. */
  skipped: string[];
  /** What it printed last. */
  lastLines: string;
};

const root = join(import.meta.dirname, "..");

const MAX_LINES = 120;

let reports = 0;

/**
 * Runs a tool of node_modules and shows what it prints.
 * @param scratch folder for the temporary files of everything that it starts
 * @param besideOthers others print at the same time: each line begins with the part's name
 */
export async function runPart(part: Part, scratch: string, besideOthers: boolean): Promise<PartResult> {
  const { name, command } = part;
  const report = join(scratch, `report-${reports++}.jsonl`);
  console.log(`\n── ${name} ──`);
  const startedAt = performance.now();
  const { code, output } = await run(command, besideOthers ? `${name} │ ` : "", {
    ...reportTo(report),
    TMPDIR: scratch,
  });
  if (command[0] === "playwright") console.log(describeFailedPages(join(root, "test-results")));
  return {
    name,
    code,
    seconds: (performance.now() - startedAt) / 1000,
    tests: readReport(report),
    skipped: skipsIn(output),
    lastLines: output.trimEnd().split("\n").slice(-MAX_LINES).join("\n"),
  };
}

async function run([tool, ...args]: string[], prefix: string, env: NodeJS.ProcessEnv) {
  const program = tool === "node" ? process.execPath : join(root, "node_modules/.bin", tool ?? "");
  const { child, ended } = startGroup(program, args, {
    cwd: root,
    shell: process.platform === "win32",
    env: {
      ...process.env,
      FORCE_COLOR: "0",
      NO_COLOR: "1",
      // Hundreds of Node processes read the same files, which are compiled only once.
      NODE_COMPILE_CACHE: join(root, ".cache/compiled"),
      ...env,
    },
  });
  const errors = show(child.stderr, process.stderr, prefix);
  const output = show(child.stdout, process.stdout, prefix);
  const code = await ended;
  return { code, output: `${output()}\n${errors()}` };
}

/** Prints whole lines, each after the prefix; returns everything so far, without prefixes. */
function show(from: Readable, to: NodeJS.WritableStream, prefix: string): () => string {
  let whole = "";
  let pending = "";
  from.setEncoding("utf8");
  from.on("data", (text: string) => {
    whole += text;
    const lines = (pending + text).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) to.write(`${prefix}${line}\n`);
  });
  from.once("end", () => {
    if (pending) to.write(`${prefix}${pending}\n`);
  });
  return () => whole;
}

/** The tests that this machine can't run: the text after each "SKIPPED: ". */
export const skipsIn = (output: string) =>
  [...output.matchAll(/^SKIPPED: (.+)$/gm)].map(([, reason = ""]) => reason);
