import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { undoImport } from "./import.admin-queries.ts";

/** Takes an import back, after asking. */
export function UndoImport({ id, fileName }: { id: string; fileName: string | null }) {
  const [confirming, setConfirming] = useState(false);
  const [rowsLeft, setRowsLeft] = useState<number | null>(null);
  const undo = useAdminMutation({
    run: (client) => undoImport(client, id, (now) => setRowsLeft(now.applied_rows)),
    success: (counts) => ({
      title: "Import undone",
      description: `${countOf(counts.deleted, "book")} deleted, ${counts.restored} changed back, ${counts.kept} kept`,
    }),
    failure: "Failed to undo the import",
    long: true,
  });
  return (
    <>
      <Button variant="secondary" busy={undo.isPending} onClick={() => setConfirming(true)}>
        <OfficeIcon name="undo" size={18} />
        {undo.isPending ? undoing(rowsLeft) : "Undo this import"}
      </Button>
      <ConfirmDialog
        open={confirming}
        question="Undo this import?"
        confirmLabel="Undo"
        onConfirm={() => {
          if (!undo.isPending) undo.mutate(undefined);
        }}
        onClose={() => setConfirming(false)}
      >
        <p className="font-semibold break-all text-ink">{fileName}</p>
        <p>
          Books that it added are deleted, unless they have been ordered or edited since. Books that it
          changed get their prices and everything else back, except what was edited since; orders keep their
          own prices. Then you see which books stayed and why.
        </p>
      </ConfirmDialog>
    </>
  );
}

const undoing = (rowsLeft: number | null) =>
  rowsLeft === null ? "Undoing..." : `Undoing... ${countOf(rowsLeft, "row")} left`;
