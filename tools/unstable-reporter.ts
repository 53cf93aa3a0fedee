import type { Reporter, TestCase } from "vitest/node";
import { unstableLine } from "./unstable.ts";

/** Lists the tests that failed and then passed when run again, with the first error: the gate counts these lines. */
export default class UnstableReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    console.log(unstableLine(`${test.module.relativeModuleId} > ${test.fullName}`));
    for (const error of test.result().errors ?? []) console.log(error.stack ?? error.message);
  }
}
