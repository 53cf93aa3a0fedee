import { resolve } from "node:path";
import { BroadcastChannel } from "node:worker_threads";
import type { StrykerOptions } from "@stryker-mutator/api/core";
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import { createVitest, type Vitest } from "vitest/node";
import type { Answer, Order, TestOutcome } from "./protocol.ts";

/**
 * Runs Vitest's tests for Stryker in one worker that stays from change to change. Stryker's own runner starts a worker for each
 * change and reads all modules again, which takes longer than most tests by far.
 */
class VitestThatStays implements TestRunner {
  static inject = tokens(commonTokens.options);
  readonly #options: StrykerOptions;
  readonly #channel = new BroadcastChannel(`mutation ${process.pid}`);
  #vitest: Vitest | null = null;
  #onMessage: (data: unknown) => void = () => {};

  constructor(options: StrykerOptions) {
    this.#options = options;
    this.#channel.onmessage = (message: unknown) => this.#onMessage((message as { data: unknown }).data);
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    process.env.NODE_ENV = "test";
    process.env.VITEST = "1";
    const { configFile } = this.#options.vitest as { configFile: string };
    const ready = new Promise<void>((resolveReady) => {
      this.#onMessage = (data) => data === "ready" && resolveReady();
    });
    const vitest = await createVitest("test", {
      config: configFile,
      watch: false,
      pool: "threads",
      maxWorkers: 1,
      includeTaskLocation: true,
      runner: resolve("tests/mutation/worker.ts"),
      reporters: [{}],
      onConsoleLog: () => false,
    });
    this.#vitest = vitest;
    const starter = vitest.getRootProject().createSpecification(resolve("tests/mutation/worker.test.ts"));
    vitest.runTestSpecifications([starter]).catch((error: Error) => console.error(error));
    await ready;
  }

  #ask(order: Order): Promise<Answer> {
    return new Promise((answered) => {
      this.#onMessage = (data) => {
        if (typeof data === "object" && data !== null && "answer" in data) answered(data.answer as Answer);
      };
      this.#channel.postMessage(order);
    });
  }

  async dryRun({ files }: DryRunOptions): Promise<DryRunResult> {
    if (!this.#vitest) throw new Error("The runner has not been started");
    if (files) this.#vitest.config.related = files;
    const found = await this.#vitest.getRelevantTestSpecifications();
    const paths = found.map(({ moduleId }) => moduleId);
    const order = { files: paths, tests: null, mutant: null, hitLimit: undefined, stopsAtFailure: false };
    const { tests, coverage, broken } = await this.#ask(order);
    if (broken) return { status: DryRunStatus.Error, errorMessage: broken };
    const { static: outside, perTest } = coverage ?? { static: {}, perTest: {} };
    // For what is reached while modules load too, Stryker would start a new worker each time; here it is changed for tests only.
    const inTests = new Set(Object.values(perTest).flatMap(Object.keys));
    const only = Object.fromEntries(Object.entries(outside).filter(([mutant]) => !inTests.has(mutant)));
    const mutantCoverage = { static: only, perTest };
    return { status: DryRunStatus.Complete, tests: tests.map(toResult), mutantCoverage };
  }

  async mutantRun({
    testFilter,
    activeMutant,
    hitLimit,
    disableBail,
  }: MutantRunOptions): Promise<MutantRunResult> {
    const tests = testFilter ?? [];
    const files = [...new Set(tests.map((id) => resolve(id.slice(0, id.indexOf("#")))))];
    const order = { files, tests, mutant: activeMutant.id, hitLimit, stopsAtFailure: !disableBail };
    const answer = await this.#ask(order);
    if (answer.broken) return toMutantRunResult({ status: DryRunStatus.Error, errorMessage: answer.broken });
    const endless = determineHitLimitReached(answer.hitCount, hitLimit);
    return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests: answer.tests.map(toResult) });
  }

  async dispose(): Promise<void> {
    this.#channel.postMessage("stop");
    this.#channel.close();
    await this.#vitest?.close();
  }
}

function toResult({ id, file, ms, state, message = "no message" }: TestOutcome): TestResult {
  const result = { id, name: id.slice(id.indexOf("#") + 1), fileName: file, timeSpentMs: ms };
  if (state === "fail") return { ...result, status: TestStatus.Failed, failureMessage: message };
  return { ...result, status: state === "pass" ? TestStatus.Success : TestStatus.Skipped };
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, "vitest-that-stays", VitestThatStays),
];
