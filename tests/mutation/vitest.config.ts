import { randomInt } from "node:crypto";
import { defineConfig } from "vitest/config";

// Every change meets the same samples.
process.env.TEST_SEED ??= String(randomInt(2 ** 31));

const here = (file: string) => new URL(file, import.meta.url).pathname;

const unit = [
  "{app,server}/**/*.test.{ts,tsx}",
  "tests/contract/{data,storage}/*.test.ts",
  "tests/contract/accounts/{parts,redirects,words}.test.ts",
];
const overDatabase = [
  "tests/contract/accounts/{links,limits,sessions,sign-up}.test.ts",
  "tests/contract/{accounts,answers,calls,canceled-requests,files-at-once,uploads}.test.ts",
  "tests/embedded/{anonymised-account,housekeeping,migrations}.test.ts",
];

/** "unit", or globs by space: without it all tests are run, and those over a database take minutes. */
const { MUTATION_TESTS, MUTATION_TEST_MS } = process.env;
const isUnit = MUTATION_TESTS === "unit";

/**
 * The tests that Stryker runs: those in this process, because it switches its mutants on here and nowhere else.
 * One worker keeps its modules between mutants, which is many times faster.
 */
export default defineConfig({
  resolve: {
    // Contract tests start the backend as a process of its own.
    alias: [
      { find: /^#server\/open-backend\.ts$/, replacement: here("backend-here.ts") },
      { find: /^(#tests\/support|\.)\/test-server\.ts$/, replacement: here("databases-here.ts") },
    ],
  },
  test: {
    setupFiles: ["tests/mutation/quick-bcrypt.ts", "tests/support/first-shop.ts"],
    tags: [{ name: "long" }],
    // Vitest's type of a configuration leaves this option out.
    ...{ tagsFilter: ["!long"] },
    globalSetup: ["tests/support/start-test-server.ts"],
    include: isUnit ? unit : (MUTATION_TESTS?.split(" ") ?? [...unit, ...overDatabase]),
    isolate: false,
    // A change that makes a test wait for ever is noticed by this; ending the worker would cost its start.
    testTimeout: Number(MUTATION_TEST_MS ?? (isUnit ? 10_000 : 15_000)),
    hookTimeout: 30_000,
  },
});
