import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";
import { buttonClass } from "./button.tsx";
import { overlayClass } from "./dialog.tsx";
import { useReturnFocus } from "./return-focus.ts";

type ConfirmDialogProps = {
  open: boolean;
  question: string;
  /** What the question is about, and what confirming does. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** The look of the confirm button: danger unless confirming loses nothing. */
  variant?: "danger" | "primary";
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that is hard to undo. The focus starts on Cancel. */
export function ConfirmDialog({
  open,
  question,
  children,
  confirmLabel,
  cancelLabel = "Cancel",
  variant = "danger",
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const returnFocus = useReturnFocus(open);
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClass} />
        <AlertDialog.Content
          onCloseAutoFocus={returnFocus}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto max-w-md -translate-y-1/2 rounded-card bg-surface p-5 text-15 shadow-float focus:outline-none"
        >
          <AlertDialog.Title className="text-20">{question}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 text-muted">{children}</div>
          </AlertDialog.Description>
          <div className="mt-5 flex flex-wrap justify-end gap-3">
            <AlertDialog.Cancel className={buttonClass({ variant: "secondary" })}>
              {cancelLabel}
            </AlertDialog.Cancel>
            <AlertDialog.Action className={buttonClass({ variant })} onClick={onConfirm}>
              {confirmLabel}
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
