import type { ComponentProps, ReactNode } from "react";
import { Dialog } from "#app/components/dialog.tsx";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { KeptNote } from "./kept-note.tsx";
import type { Kept } from "./use-kept.ts";

type FormDialogProps = Omit<ComponentProps<typeof Dialog>, "open" | "footer" | "readOnly"> & {
  /** Whether something was typed or chosen that isn't saved. */
  dirty: boolean;
  /** What its form keeps; none if it has no text. */
  kept?: Kept;
  /** A function gets what its Cancel button calls: it closes the dialog, and asks first like Escape. */
  footer?: ReactNode | ((cancel: () => void) => ReactNode);
};

/** Every dialog with a form: Escape, a click outside and the cross ask before anything that was typed is discarded. */
export function FormDialog({ dirty, kept, footer, children, onClose, ...dialog }: FormDialogProps) {
  const { guard, question } = useUnsavedChanges(dirty, { kept });
  const close = () => guard(onClose);
  return (
    <Dialog {...dialog} open onClose={close} footer={typeof footer === "function" ? footer(close) : footer}>
      {kept && <KeptNote kept={kept} />}
      {children}
      {question}
    </Dialog>
  );
}
