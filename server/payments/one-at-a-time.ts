/**
 * Coalesces concurrent requests about the same thing: callers that arrive while one is pending share the next one. The pending
 * one's response may be older than their call.
 */
export function oneAtATime<Result>(run: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  const next = new Map<string, Promise<Result>>();

  async function begin(key: string): Promise<Result> {
    next.delete(key);
    const asking = run(key);
    running.set(key, asking);
    try {
      return await asking;
    } finally {
      if (running.get(key) === asking) running.delete(key);
    }
  }

  return (key) => {
    const waiting = next.get(key);
    if (waiting) return waiting;
    const before = running.get(key);
    if (!before) return begin(key);
    const after = before.then(
      () => begin(key),
      () => begin(key),
    );
    next.set(key, after);
    return after;
  };
}
