import { useEffect, useState } from "react";

export type ReadState<Result> =
  | { status: "loading" | "failed"; result: undefined }
  | { status: "ready"; result: Result };

type Handlers<Result> = {
  onResult?: (result: Result) => void;
  onFailure?: (error: unknown) => void;
};

const loading = { status: "loading", result: undefined } as const;
const failed = { status: "failed", result: undefined } as const;

/**
 * Reads personal data in the browser, once per `key`, which identifies everything that `read` and its handlers close
 * over; while it is null, nothing is read. Only the latest read counts: the outcome of an earlier key, or of a page
 * that was left, is dropped.
 * @returns the state; `retry` reads again, `set` replaces the result
 */
export function useRead<Result>(
  key: string | null,
  read: () => Promise<Result>,
  { onResult, onFailure }: Handlers<Result> = {},
) {
  const [attempt, setAttempt] = useState(0);
  const [outcome, setOutcome] = useState<{ of: string; state: ReadState<Result> } | null>(null);
  const requested = `${attempt} ${key}`;
  const set = (result: Result) => setOutcome({ of: requested, state: { status: "ready", result } });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key covers everything else
  useEffect(() => {
    if (key === null) return;
    let current = true;
    read().then(
      (result) => {
        if (!current) return;
        set(result);
        onResult?.(result);
      },
      (error: unknown) => {
        if (!current) return;
        setOutcome({ of: requested, state: failed });
        onFailure?.(error);
      },
    );
    return () => {
      current = false;
    };
  }, [key, attempt]);

  const state: ReadState<Result> = outcome?.of === requested ? outcome.state : loading;
  return { ...state, retry: () => setAttempt(attempt + 1), set };
}
