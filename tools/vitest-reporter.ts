import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import { firstLines, report } from "./test-report.ts";

const describeErrors = (errors: readonly { message?: string; stack?: string }[]) =>
  firstLines(errors.map(({ message, stack }) => stack ?? message ?? "").join("\n"));

/** Reports tests, files that failed outside of their tests, and errors that belong to no file. */
export default class GateReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    // Left out on purpose: decision 32.
    if (state === "pending" || (state === "skipped" && test.tags.includes("long"))) return;
    report({
      project: test.project.name,
      file: test.module.relativeModuleId,
      title: test.fullName,
      state,
      seconds: (test.diagnostic()?.duration ?? 0) / 1000,
      problem: describeErrors(errors ?? []),
    });
  }

  onTestModuleEnd(module: TestModule): void {
    const errors = [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ];
    if (errors.length > 0)
      report({
        project: module.project.name,
        file: module.relativeModuleId,
        title: "",
        state: "failed",
        seconds: 0,
        problem: describeErrors(errors),
      });
  }

  onTestRunEnd(_: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    for (const error of unhandledErrors)
      report({
        project: "",
        file: "",
        title: "",
        state: "failed",
        seconds: 0,
        problem: describeErrors([error]),
      });
  }
}
