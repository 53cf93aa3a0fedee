/** Asks the worker to run tests. */
export type Order = {
  files: string[];
  /** All, where null. */
  tests: string[] | null;
  mutant: string | null;
  hitLimit: number | undefined;
  stopsAtFailure: boolean;
};

export type TestOutcome = {
  id: string;
  file: string;
  ms: number;
  state: "pass" | "fail" | "skip";
  message?: string | undefined;
};

export type Answer = {
  tests: TestOutcome[];
  hitCount?: number | undefined;
  /** Which mutants each test reaches, and which are reached outside of tests. */
  coverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> } | undefined;
  /** Why the tests say nothing. */
  broken?: string;
};
