import { defineConfig } from "vitest/config";
import { isLong } from "./tests/support/long.ts";

/** Files that compare or limit times: each runs alone, so that a neighbour's work does not count. */
const timed = [
  "tests/contract/crowd.test.ts",
  "tests/contract/accounts/timing.test.ts",
  "tests/contract/expensive-pages.test.ts",
  "tests/contract/expensive.test.ts",
  "tests/contract/worst-arguments.test.ts",
];

/** Files that are worth a night and not a merge. */
const longOnly = isLong ? [] : ["**/*.long.test.ts"];

/** More than a small machine has cores: many files wait for a process to start or to end. */
const workers = 3;

/** Parts of the suite; `npx vitest run --project unit` runs one. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          setupFiles: ["tests/support/first-shop.ts"],
          include: ["{app,server,scripts,tools,workshop,supabase,tests/structure}/**/*.test.{ts,tsx}"],
          exclude: ["server/{api,database,shop}/**", "supabase/**/*.database.test.ts"],
          // Nothing here is timed: a property of a hundred random texts takes seconds on a machine that is busy.
          testTimeout: 30_000,
          // Vitest would leave one core idle. Most of these files take less time than a process of their own takes to start, and
          // no file changes what another one sees: they pass in any order (--sequence.shuffle.files).
          maxWorkers: 2,
          isolate: false,
        },
      },
      {
        test: {
          name: "database",
          globalSetup: ["tests/support/start-test-server.ts"],
          include: ["tests/database/**/*.test.ts", "supabase/**/*.database.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: workers,
          // What these files change is in databases of their own.
          isolate: false,
        },
      },
      {
        test: {
          name: "packaging",
          include: ["tests/packaging/**/*.test.ts"],
          exclude: longOnly,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: workers,
        },
      },
      {
        test: {
          name: "contract",
          globalSetup: ["tests/support/start-test-server.ts", "tests/support/prepare-once.ts"],
          include: ["tests/contract/**/*.test.ts", "server/{api,database,shop}/**/*.test.ts"],
          exclude: [...timed, ...longOnly],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: workers,
          // Each file opens a backend of its own; what they share is the code, which takes a second to load.
          isolate: false,
        },
      },
      {
        test: {
          name: "embedded",
          globalSetup: ["tests/support/start-test-server.ts", "tests/support/prepare-once.ts"],
          include: ["tests/embedded/**/*.test.ts", "tests/deploy/**/*.test.ts"],
          exclude: longOnly,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: workers,
        },
      },
      {
        test: {
          name: "pages",
          globalSetup: ["tests/support/prepare-once.ts", "tests/support/demo-shop.ts"],
          include: ["tests/pages/**/*.test.ts"],
          // A page that was not requested before is rendered first.
          testTimeout: 60_000,
          maxWorkers: workers,
          isolate: false,
        },
      },
      {
        test: {
          name: "timed",
          globalSetup: ["tests/support/start-test-server.ts", "tests/support/prepare-once.ts"],
          include: timed,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
