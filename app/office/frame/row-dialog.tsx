import { type ComponentProps, type ReactNode, useId } from "react";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { FormDialog } from "./form-dialog.tsx";
import type { Kept } from "./use-kept.ts";

type RowDialogProps = {
  /** The kind of row, such as 'publisher'. */
  noun: string;
  isNew: boolean;
  dirty: boolean;
  kept: Kept;
  busy: boolean;
  formProps: ComponentProps<"form">;
  onClose: () => void;
  children: ReactNode;
};

/** The dialog that adds or edits a row of a table. Closing it asks first when something was typed. */
export function RowDialog({ noun, isNew, dirty, kept, busy, formProps, onClose, children }: RowDialogProps) {
  const formId = useId();
  return (
    <FormDialog
      dirty={dirty}
      kept={kept}
      onClose={onClose}
      title={`${isNew ? "Add" : "Edit"} ${noun}`}
      size="large"
      footer={(cancel) => (
        <>
          <Button variant="secondary" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={busy}>
            {isNew ? `Add ${noun.charAt(0).toUpperCase()}${noun.slice(1)}` : "Save"}
          </Button>
        </>
      )}
    >
      <form id={formId} {...formProps} className="grid gap-4 sm:grid-cols-2">
        {children}
      </form>
    </FormDialog>
  );
}

type CheckProps = {
  label: string;
  checked: boolean;
  className?: string;
  onChange: (checked: boolean) => void;
};

/** A checkbox of such a dialog. */
export function Check({ label, checked, className = "", onChange }: CheckProps) {
  return (
    <label className={`flex min-h-11 items-center gap-3 ${className}`}>
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-green"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}

type DeleteDialogProps<Row> = {
  /** Null while closed. */
  row: Row | null;
  children: ReactNode;
  onDelete: (row: Row) => void;
  onClose: () => void;
};

/** Asks before deleting a row; the children say what else is deleted. */
export function DeleteDialog<Row extends { name: string }>({
  row,
  children,
  onDelete,
  onClose,
}: DeleteDialogProps<Row>) {
  return (
    <ConfirmDialog
      open={row !== null}
      question={`Delete ${row?.name}?`}
      confirmLabel="Delete"
      onConfirm={() => row && onDelete(row)}
      onClose={onClose}
    >
      <p>{children}</p>
    </ConfirmDialog>
  );
}
