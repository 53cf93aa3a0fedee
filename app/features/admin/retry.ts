import { isTemporary } from "#app/lib/retry-rule.ts";
import { wait } from "#app/lib/wait.ts";

const RETRY_AFTER_MS = [500, 2_000, 5_000];

export type RetryOptions = {
  signal: AbortSignal;
  wait?: (milliseconds: number) => Promise<void>;
};

/**
 * Runs one step of a long job, and retries it after a pause when the failure may be temporary.
 * @throws the step's last error; the signal's reason when it is aborted
 */
export async function retry<Result>(
  step: () => PromiseLike<Result>,
  { signal, wait: pause = wait }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      const delay = RETRY_AFTER_MS[failures];
      if (delay === undefined || !isTemporary(error)) throw error;
      await pause(delay);
    }
  }
}
