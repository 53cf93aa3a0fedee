import { isTemporary } from "./retry-rule.ts";
import { wait } from "./wait.ts";

type Options = {
  /** How long to wait before the next attempt; undefined when the failure is final. `failures` are those before it. */
  delayAfter: (error: unknown, failures: number) => number | undefined;
  pause?: (milliseconds: number) => Promise<void>;
  signal?: AbortSignal;
};

/**
 * Repeats a call until it succeeds.
 * @throws the call's last error; the signal's reason when it is aborted
 */
export async function retry<Result>(
  call: () => PromiseLike<Result>,
  { delayAfter, pause = wait, signal }: Options,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      const delay = delayAfter(error, failures);
      if (delay === undefined) throw error;
      await pause(delay);
    }
  }
}

const STEP_DELAYS_MS = [500, 2_000, 5_000];

export type RetryOptions = {
  signal: AbortSignal;
  wait?: (milliseconds: number) => Promise<void>;
};

/** Runs one step of a long job, and retries it after a pause when the failure may be temporary. */
export function retryStep<Result>(
  step: () => PromiseLike<Result>,
  { signal, wait: pause }: RetryOptions,
): Promise<Result> {
  const delayAfter = (error: unknown, failures: number) =>
    isTemporary(error) ? STEP_DELAYS_MS[failures] : undefined;
  return retry(step, { delayAfter, pause, signal });
}
