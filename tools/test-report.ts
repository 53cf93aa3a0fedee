import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** One test that ran, or what failed outside of tests: a file that can't be loaded, a hook, a late error. */
export type TestResult = {
  /** Vitest's project; "e2e" for Playwright. */
  project: string;
  /** Path from the repository's root; empty for an error that belongs to no file. */
  file: string;
  /** With the titles of its describe blocks, as the runner's own filter takes it; empty when the file failed outside of its tests. */
  title: string;
  state: "passed" | "failed" | "skipped";
  seconds: number;
  /** The first lines of what went wrong; empty unless failed. */
  problem: string;
};

/** Where a runner's reporter writes its results. The gate sets it; without it nothing is written. */
const variable = "TEST_REPORT";

/** The environment in which the reporters write to a file. */
export const reportTo = (file: string): NodeJS.ProcessEnv => ({ [variable]: file });

/** Adds a result to the report, a line of JSON each. */
export function report(result: TestResult): void {
  const file = process.env[variable];
  if (file) appendFileSync(file, `${JSON.stringify(result)}\n`);
}

/** The results that a runner has written to a file; none if it wrote nothing. */
export function readReport(file: string): TestResult[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TestResult);
}

const MAX_LINES = 12;

/** The first lines of an error, without colours, empty lines and what lies in packages. */
export const firstLines = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colours begin with one
    .replace(/\u001b\[[\d;]*m/g, "")
    .split("\n")
    .filter((line) => line.trim() && !/^ +at .*node_modules/.test(line))
    .slice(0, MAX_LINES)
    .join("\n");
