import { countsIn } from "./gate-part.ts";

export type LongPart = {
  name: string;
  about: string;
  /** One after the other; the first word is "node" or a program of node_modules. */
  commands: string[][];
  env?: NodeJS.ProcessEnv;
  /** Beside a process for each core that does nothing but count. */
  underLoad?: boolean;
  /** What a run that succeeded says of itself. */
  figures: (output: string) => string;
};

/** Files whose mistakes cost money, data or access; `npm run mutation` measures any other. */
const riskyFiles = [
  "app/lib/money.ts",
  "app/features/checkout/place-order.ts",
  "server/payments/payment-service.ts",
  "server/lib/concurrency-limit.ts",
  "server/web/content-security-policy.ts",
];

const gate = ["node", "tools/gate.ts"];

function counts(output: string): string {
  const { passed, failed, skipped } = countsIn(output);
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** A gate's own last lines. */
const gates = (output: string) => (output.match(/^\d+ passed, \d+ failed, \d+ skipped$/gm) ?? []).join("; ");

const mutants = (output: string) =>
  [...output.matchAll(/^\s*(\S+\.ts)\s*\|\s*([\d.]+)\s*\|/gm)]
    .map(([, file, share]) => `${file} ${share} %`)
    .join(", ");

const benched = (output: string) => {
  if (output.includes("Not measured: ")) return "not measured: the list of real books is not there";
  const over = output.match(/^\|.*\| no\b.*\|$/gm) ?? [];
  return over.length === 0 ? "every budget was kept" : `${over.length} budgets were not kept`;
};

/** Everything that `npm run test:long` does, in order. @param minutes how long the parts of torture take together */
export const longParts = (minutes: number): LongPart[] => [
  {
    name: "samples",
    about:
      "the tests without a browser, with many more random samples, rows and rounds (`tests/support/long.ts`)",
    commands: [
      [
        "vitest",
        "run",
        "--project",
        "unit",
        "--project",
        "database",
        "--project",
        "contract",
        "--project",
        "embedded",
        "--project",
        "packaging",
      ],
    ],
    env: { LONG: "1" },
    figures: counts,
  },
  {
    name: "browser",
    about: "the browser tests that build or fill a shop of their own (`*.long.spec.ts`)",
    commands: [["playwright", "test", "\\.long\\.spec\\.ts$"]],
    env: { LONG: "1" },
    figures: counts,
  },
  {
    name: "torture",
    about: "journeys, stock, kills, payments, power cuts in number, weakened rights, hostile requests",
    commands: [["node", "tests/torture/torture.ts", "--minutes", String(minutes)]],
    figures: () => "everything held; the figures are at the end of this page",
  },
  {
    name: "mutation",
    about: `Stryker on ${riskyFiles.map((file) => `\`${file}\``).join(", ")}`,
    commands: [["stryker", "run", "tests/mutation/stryker.config.json", "--mutate", riskyFiles.join(",")]],
    env: { MUTATION_TESTS: "unit" },
    figures: mutants,
  },
  {
    name: "million",
    about: "the catalogue with 1,000,000 books, and the back office beside 1,000,000 orders",
    commands: [["node", "tests/load/bench.ts", "million", "million-admin"]],
    figures: benched,
  },
  { name: "gates", about: "the gate three times in a row", commands: [gate, gate, gate], figures: gates },
  {
    name: "gates-under-load",
    about: "the same beside a process that loads each core",
    commands: [gate, gate, gate],
    underLoad: true,
    figures: gates,
  },
];
