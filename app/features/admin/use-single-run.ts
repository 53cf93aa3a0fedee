import { useCallback, useEffect, useRef } from "react";

/** Long work of which one runs at a time, and which stops when the page is left. */
export function useSingleRun() {
  const running = useRef<AbortController | null>(null);
  const cancel = useCallback(() => running.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  return {
    /** The signal for new work; null while earlier work runs, as a second press comes before the page shows that. */
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
