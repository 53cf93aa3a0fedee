import { defineConfig } from "@playwright/test";
import { chromium } from "./tests/support/chromium.ts";
import { isLong } from "./tests/support/long.ts";

export default defineConfig({
  testDir: "tests/e2e",
  // All others are worth a night and not a merge (decision 32).
  ...(isLong ? {} : { grep: /@gate/ }),
  outputDir: "test-results",
  globalSetup: "./tests/support/build-once.ts",
  fullyParallel: true,
  // The cores of a small machine: more of them would make each test wait for the others.
  workers: 2,
  forbidOnly: true,
  // How long a busy machine may take, not what is promised: tests about time measure it themselves.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [[process.env.CI ? "list" : "line"], ["./tools/playwright-reporter.ts"]],
  use: {
    browserName: "chromium",
    launchOptions: chromium("chromium-headless-shell"),
    // Tests that intercept requests would not see those that the service worker makes; its own tests allow it.
    serviceWorkers: "block",
    locale: "en-GB",
    timezoneId: "Africa/Accra",
    // Recording what happens costs a third of the time: TRACE=1 when a failure has to be looked into.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
  },
});
