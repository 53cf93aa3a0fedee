import type { TestResult } from "./test-report.ts";

export type LongPart = {
  name: string;
  about: string;
  /** One after the other; the first word is "node" or a program of node_modules. */
  commands: string[][];
  env?: NodeJS.ProcessEnv;
  /** Beside a process for each core that does nothing but count. */
  underLoad?: boolean;
  /** What a run says of itself, from what it printed and the tests that it reported. */
  figures: (output: string, tests: readonly TestResult[]) => string;
};

const gate = ["node", "tools/gate.ts"];

/** A suite with the tests that the gate leaves out, and with many more samples, rows and rounds (tests/support/long.ts). */
const suite = (name: string, about: string, ...commands: string[][]): LongPart => ({
  name,
  about,
  commands,
  env: { LONG: "1" },
  figures: (_, tests) => describeCounts(tests),
});

const vitest = (project: string, ...more: string[]) => ["vitest", "run", "--project", project, ...more];

export function describeCounts(tests: readonly TestResult[]): string {
  const count = (state: TestResult["state"]) => tests.filter((test) => test.state === state).length;
  const failed = tests
    .filter(({ state }) => state === "failed")
    .map(({ file, title }) => `${file}, ${title}`);
  return [
    `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`,
    ...failed,
  ].join("; ");
}

/** A gate's own last lines. */
const gates = (output: string) =>
  (output.match(/^(?:\d+ passed, \d+ failed, \d+ skipped|unstable: .*|.*\d {2}all)$/gm) ?? [])
    .map((line) => line.trim())
    .join("; ");

const mutants = (output: string) =>
  [...output.matchAll(/^\s*(\S+\.ts)\s*\|\s*([\d.]+)\s*\|/gm)]
    .map(([, file, share]) => `${file} ${share} %`)
    .join(", ");

const benched = (output: string) => {
  const over = output.match(/^\|.*\| no\b.*\|$/gm) ?? [];
  return over.length === 0 ? "every budget was kept" : `${over.length} budgets were not kept`;
};

/** What a quick bench says of the measurements that fail, and of pages that weigh too much. */
const ended = (output: string) =>
  (
    output.match(/^(?:Not measured to its end|Budget missed): .*$/gm) ?? ["every measurement ran to its end"]
  ).join("; ");

/** Everything that `npm run test:long` does, in order. @param minutes how long the parts of torture take together */
export const longParts = (minutes: number): LongPart[] => [
  suite("samples", "the unit and page tests", vitest("unit"), vitest("pages")),
  suite(
    "races",
    "tests of the database with races, random walks, plans and weakened rights (`tests/database/*.long.test.ts`)",
    vitest("database", ".long.test.ts"),
  ),
  {
    ...suite(
      "database",
      "all other tests of the database, again on an owner's older PostgreSQL",
      vitest("database"),
    ),
    env: { LONG: "without long files" },
  },
  suite("contract", "the tests of the API", vitest("contract")),
  suite("processes", "whole shops: starts, kills, power cuts, several machines, backups", vitest("embedded")),
  suite("packaging", "installations with several versions of npm and Node", vitest("packaging")),
  suite("browser-shop", "every browser test of the storefront", [
    "playwright",
    "test",
    "tests/e2e/shop",
    "tests/e2e/payments",
  ]),
  suite("browser-office", "every browser test of the back office and of accounts", [
    "playwright",
    "test",
    "tests/e2e/admin",
    "tests/e2e/account",
  ]),
  {
    name: "torture",
    about: "kills, power cuts and hostile requests in number",
    commands: [["node", "tests/torture/torture.ts", "--minutes", String(minutes)]],
    figures: () => "its figures are in [torture.md](torture.md)",
  },
  {
    name: "mutation",
    about: "Stryker on five files whose mistakes cost money or access",
    commands: [["stryker", "run", "tests/mutation/stryker.config.json"]],
    figures: mutants,
  },
  {
    name: "bench",
    about: "every measurement of `npm run bench`, for about a second each, with less data where it is large",
    commands: [["node", "tests/load/bench.ts", "--quick"]],
    figures: ended,
  },
  {
    name: "million",
    about: "the catalogue with 1,000,000 books, and the back office beside 1,000,000 orders",
    commands: [["node", "tests/load/bench.ts", "million", "million-admin"]],
    figures: benched,
  },
  {
    name: "gates-under-load",
    about: "the gate three times in a row, beside a process that loads each core",
    commands: [gate, gate, gate],
    underLoad: true,
    figures: gates,
  },
];
