import { useCallback, useEffect, useRef } from "react";

/** Long-running work: one run at a time, aborted when the user leaves the page. */
export function useSingleRun() {
  const running = useRef<AbortController | null>(null);
  const cancel = useCallback(() => running.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  return {
    /**
     * The signal for new work; null while earlier work is running, since a second click may come before the page
     * shows that.
     */
    begin(): AbortSignal | null {
      if (running.current) return null;
      running.current = new AbortController();
      return running.current.signal;
    },
    end(): void {
      running.current = null;
    },
    cancel,
  };
}
