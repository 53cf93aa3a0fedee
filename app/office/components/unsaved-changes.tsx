import { type ReactNode, useRef, useState } from "react";
import { useBeforeUnload, useBlocker } from "react-router";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";

/**
 * Keeps unsaved input in a dialog from being lost by Escape. What `kept` stores is there again after Back, a link or a
 * reload; anything else is asked about too before Back or a reload, and with `links` before the sidebar's links.
 * @returns `guard`, which closes immediately when nothing is unsaved and asks otherwise, and the question to render
 */
export function useUnsavedChanges(
  unsaved: boolean,
  {
    links = false,
    kept,
  }: { links?: boolean; kept?: { isStored: () => boolean; forget: () => unknown } } = {},
): {
  guard: (close: () => void) => void;
  question: ReactNode;
} {
  const [close, setClose] = useState<(() => void) | null>(null);
  // The dialog closes after either answer; after Discard, nothing is held back.
  const discarded = useRef(false);
  const isLost = () => unsaved && !kept?.isStored();
  // Back and Forward, and links of the back office on request: a user who was signed out in another tab must be redirected without being asked.
  const blocker = useBlocker(
    ({ historyAction, nextLocation }) =>
      isLost() &&
      (historyAction === "POP" ||
        (links && historyAction === "PUSH" && nextLocation.pathname.startsWith("/admin"))),
  );

  useBeforeUnload((event) => {
    if (isLost()) event.preventDefault();
  });

  return {
    guard: (closeForm) => (unsaved ? setClose(() => closeForm) : closeForm()),
    question: (
      <ConfirmDialog
        open={close !== null || blocker.state === "blocked"}
        question="Discard your changes?"
        confirmLabel="Discard"
        onConfirm={() => {
          discarded.current = true;
          kept?.forget();
          blocker.proceed?.();
          close?.();
        }}
        onClose={() => {
          if (!discarded.current) blocker.reset?.();
          setClose(null);
        }}
      >
        <p>They haven't been saved.</p>
      </ConfirmDialog>
    ),
  };
}
