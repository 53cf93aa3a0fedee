import { describe, expect, it } from "vitest";
import type { PartResult } from "./gate-part.ts";
import { commandOf, judge } from "./gate-verdict.ts";
import type { TestResult } from "./test-report.ts";

const test = (title: string, more: Partial<TestResult> = {}): TestResult => ({
  ...{ project: "unit", file: "a.test.ts", title, state: "failed", seconds: 1, problem: "Error" },
  ...more,
});

const part = (code: number, ...tests: TestResult[]): PartResult => ({
  ...{ name: "unit", code, seconds: 1, tests, skipped: [], lastLines: "" },
});

const titles = (tests: readonly (TestResult | PartResult)[]) =>
  tests.map((each) => ("title" in each ? each.title : each.name));

async function judgeWith(passesAlone: (title: string) => boolean, ...parts: PartResult[]) {
  const repeated: string[] = [];
  const verdict = await judge(parts, async ({ title }) => {
    repeated.push(title);
    return passesAlone(title);
  });
  const { passes, unstable, failed } = verdict;
  return { passes, unstable: titles(unstable), failed: titles(failed), repeated };
}

describe("the gate's verdict", () => {
  it("passes without a failed test, and repeats none", async () => {
    const passed = part(0, test("a", { state: "passed" }), test("b", { state: "skipped" }));
    expect(await judgeWith(() => true, passed)).toEqual({
      ...{ passes: true, unstable: [], failed: [], repeated: [] },
    });
  });

  it("passes with two tests that pass alone, and names them", async () => {
    expect(await judgeWith(() => true, part(1, test("a")), part(1, test("b")))).toEqual({
      ...{ passes: true, unstable: ["a", "b"], failed: [], repeated: ["a", "b"] },
    });
  });

  it("fails with three tests that pass alone", async () => {
    const { passes, unstable } = await judgeWith(() => true, part(1, test("a"), test("b"), test("c")));
    expect({ passes, unstable }).toEqual({ passes: false, unstable: ["a", "b", "c"] });
  });

  it("fails with one test that fails again, and still names the unstable one", async () => {
    const { passes, unstable, failed } = await judgeWith(
      (title) => title === "a",
      part(1, test("a"), test("b")),
    );
    expect({ passes, unstable, failed }).toEqual({ passes: false, unstable: ["a"], failed: ["b"] });
  });

  it("fails with a tool that names no failed test, and repeats nothing", async () => {
    const { passes, failed, repeated } = await judgeWith(() => true, part(2), part(1, test("a")));
    expect({ passes, failed, repeated }).toEqual({ passes: false, failed: ["unit", "a"], repeated: [] });
  });

  it("fails with an error outside of any file", async () => {
    const { passes, repeated } = await judgeWith(() => true, part(1, test("", { file: "" })));
    expect({ passes, repeated }).toEqual({ passes: false, repeated: [] });
  });

  it("repeats nothing when many tests fail", async () => {
    const many = Array.from({ length: 7 }, (_, index) => test(String(index)));
    const { passes, failed, repeated } = await judgeWith(() => true, part(1, ...many));
    expect({ passes, failed: failed.length, repeated }).toEqual({ passes: false, failed: 7, repeated: [] });
  });
});

describe("the command that repeats a test", () => {
  it("names exactly that test", () => {
    const pattern = commandOf(test("adds 1 + 1 (twice)")).at(-1) ?? "";
    expect(new RegExp(pattern).test("adds 1 + 1 (twice)")).toBe(true);
    expect(new RegExp(pattern).test("adds 1 + 1 (twice) again")).toBe(false);
  });

  it("finds a browser test whose title is followed by its tags", () => {
    const pattern = commandOf(test("pays", { project: "e2e" })).at(-1) ?? "";
    expect(["pays", "pays @gate", "pays twice"].map((title) => new RegExp(pattern).test(title))).toEqual([
      ...[true, true, false],
    ]);
  });

  it("repeats a whole file that failed outside of its tests", () => {
    expect(commandOf(test(""))).not.toContain("-t");
    expect(commandOf(test("", { project: "e2e" }))).not.toContain("-g");
  });
});
