import { BackendFailure } from "#app/lib/backend-failure.ts";

const RETRY_AFTER_MS = [500, 2_000, 5_000];

export type KeepTrying = {
  signal: AbortSignal;
  wait?: (milliseconds: number) => Promise<void>;
};

/**
 * Does one step of a long work, again after a pause when it fails in a way that may pass by itself.
 * @throws what the step throws when it does not succeed; the signal's reason when it is aborted
 */
export async function keepTrying<Result>(
  step: () => PromiseLike<Result>,
  { signal, wait = sleep }: KeepTrying,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      const pause = RETRY_AFTER_MS[failures];
      if (pause === undefined || !mayPass(error)) throw error;
      await wait(pause);
    }
  }
}

function mayPass(error: unknown): boolean {
  return (
    error instanceof BackendFailure && (error.status === 0 || error.status === 429 || error.status >= 500)
  );
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
