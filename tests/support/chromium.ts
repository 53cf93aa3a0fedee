import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

const candidates = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Path of a Chromium on this machine; null when there is none. */
export function findChromium(): string | null {
  return candidates.find((path) => path && existsSync(path)) ?? null;
}

/** Installs Debian's Chromium when there is none and this is root on Debian; says in one line what is missing otherwise. */
export function requireChromium(): string {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Debian's Chromium for the browser tests …");
    execFileSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], {
      stdio: "inherit",
    });
    const installed = findChromium();
    if (installed) return installed;
  }
  throw new Error(
    "The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.",
  );
}

/** How the tests start the browser: no calls home, so that a closed network makes no noise. */
export function chromium(): LaunchOptions {
  return {
    executablePath: findChromium() ?? "chromium-is-missing",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  };
}
