import { defineConfig } from "vitest/config";

/** Parts of the suite; `npx vitest run --project unit` runs one. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{app,server,scripts,supabase,pictures,tests/house}/**/*.test.{ts,tsx}"],
          exclude: ["server/embedded/**", "supabase/**/*.database.test.ts"],
          // Nothing here is timed: a property of a hundred random texts takes seconds on a machine that is busy.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "database",
          include: ["tests/database/**/*.test.ts", "supabase/**/*.database.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "contract",
          globalSetup: ["tests/support/prepare-once.ts"],
          include: [
            "tests/contract/**/*.test.ts",
            "tests/embedded/**/*.test.ts",
            "server/embedded/**/*.test.ts",
          ],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
