import { expect, test } from "vitest";
import { countsIn, failuresIn, skipsIn } from "./gate-part.ts";

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

test("A file that fails beside its tests, and an error outside of them, are among the failures", () => {
  const errors = [
    "stderr | a.test.ts",
    "⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯",
    " FAIL  unit a.test.ts [ a.test.ts ]",
    "Error: the server did not stop",
    "⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯",
    "Error: late",
  ];
  expect(failuresIn(" ✓ a.test.ts\n      Tests  7 passed (7)\n", errors.join("\n"))).toBe(
    errors.slice(1).join("\n"),
  );
});

test("Each failure shows its first lines, however long it is", () => {
  const failed = (name: string) => [` FAIL  unit ${name}`, "Error: no", "", ...Array(99).fill("+ a line")];
  const lines = failuresIn(
    "",
    ["⎯⎯ Failed Tests 2 ⎯⎯", ...failed("a.test.ts"), ...failed("b.test.ts")].join("\n"),
  );
  expect(lines.split("\n")).toHaveLength(1 + 9 + 9);
  expect(lines).toMatch(
    / FAIL {2}unit a.test.ts\nError: no\n\+ a line[\s\S]* FAIL {2}unit b.test.ts\nError: no/,
  );
});

test("Playwright's failures are their first lines and its closing list", () => {
  const failures =
    "  1) a.spec.ts:7:1 › sells a book ──\n\n    Error: no\n\n  2) b.spec.ts:9:1 › pays ──\n    Error: late";
  const list = "  2 failed\n    a.spec.ts:7:1 › sells a book\n    b.spec.ts:9:1 › pays\n  435 passed (6.0m)";
  expect(failuresIn(`Running 437 tests\n  ✓ 1 c.spec.ts\n${failures}\n\n\n${list}\n`, "")).toBe(
    `${failures.replaceAll("\n\n", "\n")}\n${list}`,
  );
});
