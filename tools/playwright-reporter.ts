import { relative } from "node:path";
import type { FullConfig, Reporter, TestCase, TestError, TestResult } from "@playwright/test/reporter";
import { firstLines, report } from "./test-report.ts";

const describeErrors = (errors: TestError[]) =>
  firstLines(errors.map(({ stack, message, value }) => stack ?? message ?? value ?? "").join("\n"));

/** Reports tests, and errors that belong to none. */
export default class GateReporter implements Reporter {
  #root = process.cwd();

  onBegin(config: FullConfig): void {
    if (config.configFile) this.#root = `${config.configFile}/..`;
  }

  onTestEnd(test: TestCase, { status, duration, errors }: TestResult): void {
    report({
      project: "e2e",
      file: relative(this.#root, test.location.file).replaceAll("\\", "/"),
      // Its first two are the project and the file.
      title: test.titlePath().slice(3).join(" "),
      state: status === "passed" || status === "skipped" ? status : "failed",
      seconds: duration / 1000,
      problem: status === "skipped" ? "" : describeErrors(errors),
    });
  }

  onError(error: TestError): void {
    report({
      project: "e2e",
      file: "",
      title: "",
      state: "failed",
      seconds: 0,
      problem: describeErrors([error]),
    });
  }

  printsToStdio(): boolean {
    return false;
  }
}
