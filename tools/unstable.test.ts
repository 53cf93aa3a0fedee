import { expect, test } from "vitest";
import { listUnstable, unstableLine } from "./unstable.ts";

test("tests that Vitest ran again are named by the reporter's lines", () => {
  const output = [
    " ✓ a.test.ts (3 tests)",
    unstableLine("a.test.ts > adds"),
    "Error: 1 is not 2",
    "  Tests  3 passed",
  ];
  expect(listUnstable(output.join("\n"))).toEqual(["a.test.ts > adds"]);
});

test("tests that Playwright ran again are those of its closing list", () => {
  const output = [
    "  1 flaky",
    "    tests/e2e/a.spec.ts:3:1 › a page › opens ",
    "    tests/e2e/b.spec.ts:9:1 › closes ────",
    "  411 passed (5.8m)",
  ];
  expect(listUnstable(output.join("\n"))).toEqual([
    "tests/e2e/a.spec.ts:3:1 › a page › opens",
    "tests/e2e/b.spec.ts:9:1 › closes",
  ]);
});

test("a run without them names none", () => {
  expect(listUnstable("  411 passed (5.8m)\n")).toEqual([]);
});
