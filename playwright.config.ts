import { defineConfig } from "@playwright/test";
import { chromium } from "./tests/support/chromium.ts";
import { isLong } from "./tests/support/long.ts";

export default defineConfig({
  testDir: "tests/e2e",
  // Worth a night and not a merge.
  testIgnore: isLong ? [] : "**/*.long.spec.ts",
  outputDir: "test-results",
  globalSetup: "./tests/support/build-once.ts",
  fullyParallel: true,
  // More than a small machine has cores: half of a test is waiting, for an email, an animation or a connection that is cut.
  workers: 3,
  forbidOnly: true,
  // How long a busy machine may take, not what is promised: tests about time measure it themselves.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: process.env.CI ? [["list"]] : [["line"]],
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
