/** A camera reads the same code many times; after this long out of view, it counts as another copy. */
const SAME_CODE_MS = 1_500;

/**
 * Reports each code once while it stays in view.
 * @returns whether a code seen at `nowMs` is another one or another copy
 */
export function createSightings() {
  const lastSeenMs = new Map<string, number>();
  return (code: string, nowMs: number): boolean => {
    const before = lastSeenMs.get(code);
    lastSeenMs.set(code, nowMs);
    return before === undefined || nowMs - before >= SAME_CODE_MS;
  };
}
