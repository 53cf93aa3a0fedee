/**
 * Reads data that changes, without ever returning a stale result: of several requests only the latest gets a result, and
 * one that was sent before a change is sent again.
 */
export function createLatestRequest() {
  let requests = 0;
  let changes = 0;
  return {
    /** The data has changed: responses to earlier requests are stale. */
    markChanged(): void {
      changes += 1;
    },
    /** Discards the pending request's result. */
    cancel(): void {
      requests += 1;
    },
    /** The result or the failure; null when it was cancelled or a newer request was started. */
    async run<T>(request: () => Promise<T>): Promise<{ result: T } | { failure: unknown } | null> {
      requests += 1;
      const mine = requests;
      try {
        for (;;) {
          const changesBefore = changes;
          const result = await request();
          if (mine !== requests) return null;
          if (changesBefore === changes) return { result };
        }
      } catch (failure) {
        return mine === requests ? { failure } : null;
      }
    },
  };
}
