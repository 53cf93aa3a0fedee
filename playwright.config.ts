import { defineConfig } from "@playwright/test";
import { chromium } from "./tests/support/chromium.ts";

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  globalSetup: "./tests/support/build-once.ts",
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: process.env.CI ? [["list"]] : [["line"]],
  use: {
    browserName: "chromium",
    launchOptions: chromium(),
    locale: "en-GB",
    timezoneId: "Africa/Accra",
    // Recording what happens costs a third of the time: TRACE=1 when a failure has to be looked into.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
  },
});
