import { expect, test } from "vitest";
import { countsIn, skipsIn } from "./gate-part.ts";

test("Vitest's closing line is counted", () => {
  const output =
    " Test Files  1 failed | 137 passed (138)\n      Tests  2 failed | 1647 passed | 38 skipped (1687)\n";
  expect(countsIn(output)).toEqual({ passed: 1647, failed: 2, skipped: 38 });
});

test("Playwright's closing lines are counted, but test titles are not", () => {
  const output =
    "  ✓  9 a.spec.ts › keeps 7 passed books (2s)\n\n  1 failed\n    a.spec.ts\n  435 passed (6.0m)\n";
  expect(countsIn(output)).toEqual({ passed: 435, failed: 1, skipped: 0 });
});

test("A tool that runs no tests counts none", () => {
  expect(countsIn("Checked 1116 files in 2s. No fixes applied.\n")).toEqual({
    passed: 0,
    failed: 0,
    skipped: 0,
  });
});

test("Skipped parts are found wherever a test prints them", () => {
  const output = [
    "stderr | tests/deploy/files.test.ts",
    "SKIPPED: the container image: no docker or podman",
    " ↓ tests/deploy/files.test.ts (1 test | 1 skipped)",
    "SKIPPED: Caddy's example: no caddy",
  ].join("\n");
  expect(skipsIn(output)).toEqual(["the container image: no docker or podman", "Caddy's example: no caddy"]);
});
