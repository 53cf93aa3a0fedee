import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { describeFailedPages } from "./failed-pages.ts";

/** One tool with its arguments; `fast` ones run before each commit too. */
export type Part = { name: string; command: string[]; fast?: boolean };

type Counts = Record<"passed" | "failed" | "skipped", number>;

type Result = {
  name: string;
  code: number;
  seconds: number;
  counts: Counts;
  skipped: string[];
  /** The runner's summary of failures, without the rest of its log; empty when it passed. */
  failures: string;
};

const root = join(import.meta.dirname, "..");

/**
 * Runs a tool of node_modules and shows what it prints.
 * @param scratch folder for the temporary files of everything that it starts
 * @param hasNeighbours others print at the same time: each line begins with the part's name
 */
export async function runPart(part: Part, scratch: string, hasNeighbours: boolean): Promise<Result> {
  const { name, command } = part;
  const prefix = hasNeighbours ? `${name} │ ` : "";
  console.log(`\n── ${name} ──`);
  const startedAt = performance.now();
  const { code, output, errors } = await run(command, scratch, prefix);
  if (command[0] === "playwright") console.log(describeFailedPages(join(root, "test-results")));
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    name,
    code,
    seconds,
    counts: countsIn(output),
    skipped: skipsIn(`${output}\n${errors}`),
    failures: code === 0 ? "" : failuresIn(output, errors),
  };
}

async function run([tool, ...args]: string[], scratch: string, prefix: string) {
  const program = tool === "node" ? process.execPath : join(root, "node_modules/.bin", tool ?? "");
  const child = spawn(program, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    env: {
      ...process.env,
      FORCE_COLOR: "0",
      NO_COLOR: "1",
      TMPDIR: scratch,
      // Hundreds of Node processes read the same files, which are compiled only once.
      NODE_COMPILE_CACHE: join(root, ".cache/compiled"),
    },
  });
  const errors = show(child.stderr, process.stderr, prefix);
  const output = show(child.stdout, process.stdout, prefix);
  const code = await new Promise<number>((resolve) => {
    child.once("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once("close", (exitCode) => resolve(exitCode ?? 1));
  });
  return { code, output: output(), errors: errors() };
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

/** A runner's final counts: Vitest writes them on one line, Playwright one per line. */
export function countsIn(output: string): Counts {
  const vitest = /^\s*Tests\s+(.*)$/m.exec(output)?.[1];
  const lines =
    vitest ??
    output
      .split("\n")
      .filter((line) => /^\s+\d+ (passed|failed|skipped)\b/.test(line))
      .join(" ");
  const count = (kind: string) => Number(new RegExp(`(\\d+) ${kind}`).exec(lines)?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}

/** Lines shown of one failure, and of a tool that isn't a test runner. */
const mostLines = { ofFailure: 9, ofTool: 120 };

/**
 * What failed: the first lines of each failed test, file or unhandled error of Vitest, which counts them apart; those of
 * Playwright's failed tests, and its closing list; for other tools, the last lines.
 */
export function failuresIn(output: string, errors: string): string {
  const vitest = /^.*⎯ (?:Failed (?:Suites|Tests)|Unhandled (?:Errors|Rejections?)) [\s\S]*/m.exec(
    errors,
  )?.[0];
  if (vitest) return firstLines(vitest, /^(?= FAIL |.*⎯ (?:Failed|Unhandled) )/m);
  const closing = /^ {2}\d+ failed\n[\s\S]*/m.exec(output);
  if (closing) {
    const details = output.slice(0, closing.index);
    const begin = details.search(/^ {2}1\) /m);
    return [begin < 0 ? "" : firstLines(details.slice(begin), /^(?= {2}\d+\) )/m), closing[0].trimEnd()]
      .filter(Boolean)
      .join("\n");
  }
  return `${output}\n${errors}`.trimEnd().split("\n").slice(-mostLines.ofTool).join("\n");
}

/** The first lines of each part of a text, without empty ones. */
const firstLines = (text: string, before: RegExp) =>
  text
    .split(before)
    .flatMap((part) =>
      part
        .split("\n")
        .filter((line) => line.trim())
        .slice(0, mostLines.ofFailure),
    )
    .join("\n");

/** The tests that this machine can't run: the text after each "SKIPPED: ". */
export const skipsIn = (output: string) =>
  [...output.matchAll(/^SKIPPED: (.+)$/gm)].map(([, reason = ""]) => reason);
