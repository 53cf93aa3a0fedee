import { type ReactNode, useEffect, useRef, useState } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/**
 * Keeps what is typed in a window from being lost by Escape, by the browser's Back or by a reload.
 * @returns `guard`, which closes at once when nothing is unsaved and asks otherwise, and the question to be drawn
 */
export function useUnsavedChanges(unsaved: boolean): {
  guard: (close: () => void) => void;
  question: ReactNode;
} {
  const [close, setClose] = useState<(() => void) | null>(null);
  // The question closes after either answer; after this one nothing is held back any more.
  const discarded = useRef(false);
  // Back and Forward alone: whoever is signed out elsewhere must be led away without being asked.
  const blocker = useBlocker(({ historyAction }) => unsaved && historyAction === "POP");

  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsaved]);

  return {
    guard: (wanted) => (unsaved ? setClose(() => wanted) : wanted()),
    question: (
      <ConfirmDialog
        open={close !== null || blocker.state === "blocked"}
        question="Discard what you have typed?"
        confirmLabel="Discard"
        onConfirm={() => {
          discarded.current = true;
          blocker.proceed?.();
          close?.();
        }}
        onClose={() => {
          if (!discarded.current) blocker.reset?.();
          setClose(null);
        }}
      >
        <p>It has not been saved.</p>
      </ConfirmDialog>
    ),
  };
}
