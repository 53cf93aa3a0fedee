import { randomInt } from "node:crypto";
import { defineConfig } from "vitest/config";

// Every change meets the same samples.
process.env.TEST_SEED ??= String(randomInt(2 ** 31));

/** The tests that Stryker runs: those of the files that it changes, which need no database. */
export default defineConfig({
  test: {
    setupFiles: ["tests/support/first-shop.ts"],
    include: ["{app,server,shared}/**/*.test.{ts,tsx}"],
    exclude: ["server/{api,database,shop}/**", "**/*.long.test.{ts,tsx}"],
    tags: [{ name: "long" }],
    // Vitest's type of a configuration leaves this option out.
    ...{ tagsFilter: ["!long"] },
    isolate: false,
    testTimeout: 10_000,
  },
});
