import { relative } from "node:path";
import { BroadcastChannel } from "node:worker_threads";
import { TestRunner, vi } from "vitest";
import { startTests } from "vitest/internal/browser";
import type { Answer, Order, TestOutcome } from "./protocol.ts";

type Task = Parameters<TestRunner["onAfterRunTask"]>[0];
type Suite = Parameters<TestRunner["onBeforeRunSuite"]>[0];

/** What Stryker's changed code reads and writes in this process. */
type Switch = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: Answer["coverage"];
};

const namesOf = (task: { name: string; suite?: Suite | undefined }): string[] =>
  task.suite ? [...namesOf(task.suite), task.name] : [task.name];

const idOf = (test: Task) => `${relative(process.cwd(), test.file.filepath)}#${namesOf(test).join(" > ")}`;

const testsOf = (suite: Suite): Task[] =>
  suite.tasks.flatMap((task) => (task.type === "suite" ? testsOf(task) : [task]));

/** Leaves out all tests but these, and groups of which none is left. */
function keepOnly(suite: Suite, names: Set<string>): boolean {
  const remaining = suite.tasks.filter((task) => {
    if (task.type === "suite" ? keepOnly(task, names) : names.has(idOf(task))) return task.mode !== "skip";
    task.mode = "skip";
    return false;
  });
  return remaining.length > 0;
}

/** Runs tests as often as it is asked to in one worker that stays. Only test files are read anew each time. */
// biome-ignore lint/style/noDefaultExport: Vitest asks for it.
export default class StayingRunner extends TestRunner {
  readonly #switch: Switch;
  #order: Order | null = null;
  #hasFailed = false;
  #isServing = false;

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config);
    const space = globalThis as unknown as { __stryker__?: Switch };
    space.__stryker__ ??= {};
    this.#switch = space.__stryker__;
  }

  onCollected(files: Suite[]): void {
    const names = this.#order?.tests;
    if (names) for (const file of files) keepOnly(file, new Set(names));
  }

  onBeforeRunFiles(): void {
    this.#switch.activeMutant = this.#order?.mutant ?? undefined;
    this.#switch.currentTestId = hooks;
  }

  override async onBeforeRunTask(test: Task): Promise<void> {
    if (this.#order?.stopsAtFailure && this.#hasFailed) test.mode = "skip";
    await super.onBeforeRunTask(test);
  }

  override onBeforeTryTask(...[test, options]: Parameters<TestRunner["onBeforeTryTask"]>): void {
    this.#switch.currentTestId = idOf(test as Task);
    super.onBeforeTryTask(test, options);
  }

  override onAfterRunTask(test: Task): void {
    this.#switch.currentTestId = hooks;
    if (test.result?.state === "fail") this.#hasFailed = true;
    super.onAfterRunTask(test);
  }

  override async onAfterRunFiles(files: never): Promise<void> {
    this.#switch.activeMutant = undefined;
    this.#switch.currentTestId = undefined;
    super.onAfterRunFiles(files);
    if (this.#isServing) return;
    this.#isServing = true;
    // What Vitest puts before these reports to its main process, which follows none of this.
    const own = Object.getPrototypeOf(this) as StayingRunner;
    const quiet = { onTaskUpdate: async () => {} };
    for (const name of ["onCollectStart", "onCollected", "onAfterRunFiles"] as const)
      Object.assign(quiet, { [name]: own[name].bind(this) });
    Object.assign(this, quiet);
    await this.#serve();
  }

  #serve(): Promise<void> {
    return new Promise((stop) => {
      const channel = new BroadcastChannel(`mutation ${process.pid}`);
      channel.onmessage = async (message: unknown) => {
        const { data } = message as { data: Order | "stop" | { answer: Answer } | "ready" };
        if (data === "stop") {
          channel.close();
          stop();
        } else if (typeof data === "object" && "files" in data)
          channel.postMessage({
            answer: await this.#carryOut(data).catch((error: Error) => ({
              tests: [],
              broken: error.message,
            })),
          });
      };
      channel.postMessage("ready");
    });
  }

  async #carryOut(order: Order): Promise<Answer> {
    const first = await this.#run(order);
    const failed = first.tests.find(({ state }) => state === "fail");
    if (!order.mutant || !failed) return first;
    // Modules stay from run to run: a failure counts where the same test passes without the change.
    const alone = { ...order, mutant: null, tests: [failed.id], files: [failed.file] };
    const fault = async () => (await this.#run(alone)).tests.find(({ state }) => state === "fail");
    if (!(await fault())) return first;
    vi.resetModules();
    const stays = await fault();
    if (stays) return { tests: [], broken: `${failed.id} fails without a change: ${stays.message}` };
    return this.#run(order);
  }

  async #run(order: Order): Promise<Answer> {
    this.#order = order;
    this.#hasFailed = false;
    Object.assign(this.#switch, { hitCount: order.mutant ? 0 : undefined, hitLimit: order.hitLimit });
    const tests: TestOutcome[] = [];
    for (const file of order.files) {
      if (order.stopsAtFailure && this.#hasFailed) break;
      // Private to Vitest; mocks and messages name the file by it.
      (this as unknown as { workerState: { filepath: string } }).workerState.filepath = file;
      const [suite] = await startTests([{ filepath: file } as never], this as never);
      vi.resetConfig();
      vi.restoreAllMocks();
      const outcomes = suite ? outcomesOf(suite as Suite) : [];
      const unread = suite && outcomes.length === 0 ? errorOf(suite as Suite) : undefined;
      // A file that could not be read has no tests, but has not passed.
      if (unread) {
        const start = `${relative(process.cwd(), file)}#`;
        const id = order.tests?.find((test) => test.startsWith(start)) ?? start;
        outcomes.push({ id, file, ms: 0, state: "fail", message: unread });
      }
      this.#shareHooks(outcomes);
      tests.push(...outcomes);
      if (suite?.result?.state === "fail") this.#hasFailed = true;
    }
    return { tests, hitCount: this.#switch.hitCount, coverage: this.#switch.mutantCoverage };
  }

  /** What a file's hooks reach is reached by each of its tests. */
  #shareHooks(tests: TestOutcome[]): void {
    const perTest = this.#switch.mutantCoverage?.perTest;
    const reached = perTest?.[hooks];
    if (!reached) return;
    for (const { id } of tests) perTest[id] = { ...reached, ...perTest[id] };
    delete perTest[hooks];
  }
}

/** What runs before and after a file's tests stands under this name until they have run. */
const hooks = "hooks";

const errorOf = (task: { result?: { errors?: { message: string }[] } | undefined }) =>
  task.result?.errors?.[0]?.message;

/** What became of a file's tests; those of a file or group that failed as a whole have failed. */
function outcomesOf(file: Suite): TestOutcome[] {
  return testsOf(file).flatMap((test): TestOutcome[] => {
    const outcome = { id: idOf(test), file: test.file.filepath, ms: test.result?.duration ?? 0 };
    const isOver = test.result?.state === "pass" || test.result?.state === "fail";
    if (isOver) return [{ ...outcome, state: test.result?.state as "pass", message: errorOf(test) }];
    for (let at: Suite | undefined = test.suite ?? test.file; at; at = at.suite)
      if (at.result?.state === "fail") return [{ ...outcome, state: "fail", message: errorOf(at) }];
    if (test.file.result?.state === "fail" && test.file.result.errors?.length)
      return [{ ...outcome, state: "fail", message: errorOf(test.file) }];
    return test.mode === "skip" ? [] : [{ ...outcome, state: "skip" }];
  });
}
