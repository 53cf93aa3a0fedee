import type { PartResult } from "./gate-part.ts";
import type { TestResult } from "./test-report.ts";

/** A failed test that passes alone is unstable; this many of them fail the gate. */
const TOO_MANY_UNSTABLE = 3;

/** More failures than this have one cause, and running each of them alone would not find it. */
const MOST_REPEATED = 6;

export type Verdict = {
  passes: boolean;
  /** Tests that failed and passed alone. */
  unstable: TestResult[];
  /** Tests that failed, and tools that failed without naming a test. */
  failed: (TestResult | PartResult)[];
};

export const failedTests = (results: readonly PartResult[]): TestResult[] =>
  results.flatMap(({ tests }) => tests.filter(({ state }) => state === "failed"));

/**
 * Judges a run. Each failed test is run once more, alone; an error that belongs to no test can't be, and fails the gate.
 * @param repeat runs a test alone; whether it passed
 */
export async function judge(
  results: readonly PartResult[],
  repeat: (test: TestResult) => Promise<boolean>,
): Promise<Verdict> {
  const withoutNames = results.filter(
    ({ code, tests }) => code !== 0 && !tests.some(({ state }) => state === "failed"),
  );
  const tests = failedTests(results);
  const isHopeless =
    withoutNames.length > 0 || tests.length > MOST_REPEATED || tests.some(({ file }) => !file);
  if (isHopeless) return { passes: false, unstable: [], failed: [...withoutNames, ...tests] };
  const unstable: TestResult[] = [];
  const failed: TestResult[] = [];
  for (const test of tests) ((await repeat(test)) ? unstable : failed).push(test);
  return { passes: failed.length === 0 && unstable.length < TOO_MANY_UNSTABLE, unstable, failed };
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Runs one test alone, or a whole file if it failed outside of its tests. */
export function commandOf({ project, file, title }: TestResult): string[] {
  if (project === "e2e")
    // Its tags stand behind a test's title.
    return [
      ...["playwright", "test", file, "--workers=1"],
      ...(title ? ["-g", `${escapePattern(title)}(?= @|$)`] : []),
    ];
  return [
    ...["vitest", "run", "--project", project, file, "--maxWorkers=1"],
    ...(title ? ["-t", `^${escapePattern(title)}$`] : []),
  ];
}
