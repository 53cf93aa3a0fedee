import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { useModal } from "./use-modal.ts";

type AskDialogProps = {
  open: boolean;
  question: string;
  /** What the question is about, and what Yes does. */
  children: ReactNode;
  yes: string;
  no: string;
  onYes: () => void;
  onClose: () => void;
};

/** Asks before something that cannot be undone. The focus starts on No; Escape and a click outside mean No. */
export function AskDialog({ open, question, children, yes, no, onYes, onClose }: AskDialogProps) {
  const dialog = useModal(open);
  const id = useId();

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog on Escape; the click is for the pointer
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={id}
      aria-describedby={`${id}-about`}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className="m-auto w-[min(28rem,calc(100%-2rem))] rounded-card bg-surface p-0 text-ink shadow-float backdrop:bg-ink/45"
    >
      <div className="p-5 sm:p-6">
        <h2 id={id} className="text-20">
          {question}
        </h2>
        <div id={`${id}-about`} className="mt-2 text-15 text-muted">
          {children}
        </div>
        <div className="mt-6 flex flex-wrap justify-end gap-3 max-sm:flex-col">
          <Button variant="secondary" onClick={onClose}>
            {no}
          </Button>
          <Button
            variant="danger"
            onClick={() => {
              onClose();
              onYes();
            }}
          >
            {yes}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
