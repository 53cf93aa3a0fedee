import { randomInt } from "node:crypto";
import { defineConfig } from "vitest/config";
import { isLong, withoutLongFiles } from "./tests/support/long.ts";

/** Files that are worth a night and not a merge (decision 32). */
const exclude = isLong && !withoutLongFiles ? [] : ["**/*.long.test.{ts,tsx}"];

/** How long a busy machine may take, not what is promised. */
const patient = { poll: { timeout: 20_000 } };

/** After this, a test that needs a database or a process has got stuck. */
const limits = { testTimeout: 240_000, hookTimeout: 300_000 };

/** The cores of a small machine: more of them would make each test wait for the others. */
const maxWorkers = 2;

// All properties of a run draw their samples from this seed (tests/support/properties.ts).
process.env.TEST_SEED ??= String(randomInt(2 ** 31));

/** Parts of the suite; `npx vitest run --project unit` runs one. */
export default defineConfig({
  test: {
    reporters: ["default", "./tools/vitest-reporter.ts"],
    // One test of a file of others; *.long.test.ts is a whole file of these.
    tags: [{ name: "long", description: "Worth a night and not a merge" }],
    ...(isLong ? {} : { tagsFilter: ["!long"] }),
    projects: [
      {
        test: {
          name: "unit",
          setupFiles: ["tests/support/first-shop.ts"],
          expect: patient,
          include: [
            "{app,server,shared,scripts,tools,workshop,supabase,tests/structure,tests/load}/**/*.test.{ts,tsx}",
          ],
          exclude: ["server/{api,database,shop}/**", "supabase/**/*.database.test.ts", ...exclude],
          // Nothing here is timed: a property of a hundred random texts takes seconds on a machine that is busy.
          testTimeout: 60_000,
          // Most of these files take less time than a process of their own takes to start, and no file changes what another
          // one sees: they pass in any order (--sequence.shuffle.files).
          maxWorkers,
          isolate: false,
        },
      },
      {
        test: {
          name: "database",
          expect: patient,
          globalSetup: ["tests/support/start-test-server.ts"],
          include: ["tests/database/**/*.test.ts", "supabase/**/*.database.test.ts"],
          exclude,
          ...limits,
          maxWorkers,
          // What these files change is in databases of their own.
          isolate: false,
        },
      },
      {
        test: {
          name: "packaging",
          expect: patient,
          include: ["tests/packaging/**/*.test.ts"],
          exclude,
          ...limits,
          maxWorkers,
        },
      },
      {
        test: {
          name: "contract",
          expect: patient,
          globalSetup: ["tests/support/start-test-server.ts", "tests/support/prepare-once.ts"],
          include: ["tests/contract/**/*.test.ts", "server/{api,database,shop}/**/*.test.ts"],
          exclude,
          ...limits,
          maxWorkers,
          // Some files replace timers and other globals: in a process of its own none reaches the next file.
          isolate: true,
        },
      },
      {
        test: {
          name: "embedded",
          expect: patient,
          globalSetup: ["tests/support/start-test-server.ts", "tests/support/prepare-once.ts"],
          include: ["tests/embedded/**/*.test.ts", "tests/deploy/**/*.test.ts"],
          exclude,
          ...limits,
          maxWorkers,
        },
      },
      {
        test: {
          name: "pages",
          expect: patient,
          globalSetup: ["tests/support/prepare-once.ts", "tests/support/demo-shop.ts"],
          include: ["tests/pages/**/*.test.ts"],
          exclude,
          ...limits,
          maxWorkers,
          isolate: false,
        },
      },
    ],
  },
});
