/**
 * Reads something that changes, without ever giving an answer that is out of date: of several questions only the
 * newest is answered, and one that was asked before a change is asked again.
 */
export function createLatest() {
  let questions = 0;
  let changes = 0;
  return {
    /** What is asked for has changed: answers to what was asked before do not count. */
    markChanged(): void {
      changes += 1;
    },
    /** Nobody waits for an answer any more. */
    forget(): void {
      questions += 1;
    },
    /** The answer or why there is none; null when somebody has asked again or forgotten meanwhile. */
    async ask<T>(question: () => Promise<T>): Promise<{ answer: T } | { failure: unknown } | null> {
      questions += 1;
      const mine = questions;
      try {
        for (;;) {
          const seen = changes;
          const answer = await question();
          if (mine !== questions) return null;
          if (seen === changes) return { answer };
        }
      } catch (failure) {
        return mine === questions ? { failure } : null;
      }
    },
  };
}
