import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

/** Debian's names. The headless shell is the same browser without windows, and takes a third of the time for a page. */
type Build = "chromium" | "chromium-headless-shell";

const paths: Record<Build, string[]> = {
  chromium: [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ],
  "chromium-headless-shell": ["/usr/bin/chromium-headless-shell"],
};

/** Path of a build on this machine; undefined when it is missing. CHROMIUM_PATH replaces every build. */
function find(build: Build): string | undefined {
  return [process.env.CHROMIUM_PATH, ...paths[build]].find((path) => path && existsSync(path));
}

/** Installs a build when this is root on Debian. Without a network it gives up soon, and nothing is installed. */
function install(build: Build): void {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing Debian's ${build} for the browser tests …`);
  const apt = (...args: string[]) =>
    execFileSync("apt-get", ["-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=15", ...args], {
      stdio: "inherit",
      timeout: 300_000,
    });
  try {
    apt("update");
    apt("install", "-y", "--no-install-recommends", "--no-remove", build);
  } catch {
    console.log(`Debian's ${build} could not be installed`);
  }
}

/**
 * Makes sure that there is a browser, and installs one if possible.
 * @param wanted the build to use; a missing headless shell may be replaced by Chromium
 * @throws Error in one line when there is none
 */
export function requireChromium(wanted: Build = "chromium"): void {
  for (const build of new Set<Build>([wanted, "chromium"])) {
    if (find(build)) return;
    install(build);
    if (find(build)) return;
  }
  throw new Error(
    "The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.",
  );
}

/** How a browser is started: no calls home, so that a closed network makes no noise. */
export function chromium(wanted: Build = "chromium"): LaunchOptions {
  return {
    executablePath: find(wanted) ?? find("chromium") ?? "chromium-is-missing",
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
