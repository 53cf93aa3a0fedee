import { useState } from "react";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { fileTypeName, formatSize } from "#shared/books/file-facts.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatDay } from "#shared/text/dates.ts";
import { type DigitalFile, removeDigitalFile } from "./digital.admin-queries.ts";

/** The files that a customer gets, with a button to remove each. */
export function FileList({ files }: { files: readonly DigitalFile[] }) {
  const [doomed, setDoomed] = useState<DigitalFile | null>(null);
  const remove = useAdminMutation({
    run: (client, { id }: DigitalFile) => removeDigitalFile(client, id),
    success: (_, { name }) => ({ title: `${name} removed` }),
    failure: "Failed to remove the file",
  });
  if (files.length === 0) return <p>No files yet. Customers can buy this title once it has one.</p>;
  return (
    <>
      <ul aria-label="Files">
        {files.map((file) => (
          <li
            key={file.id}
            className="flex items-center justify-between gap-4 border-t border-line py-2 first:border-t-0"
          >
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">{file.name}</p>
              <p className="figures text-13 text-muted">
                {fileTypeName(file.type)}, {formatSize(file.size)}, added {formatDay(file.added_at)}
              </p>
            </div>
            <IconAction icon="trash" label={`Remove ${file.name}`} onClick={() => setDoomed(file)} />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={doomed !== null}
        question="Remove this file?"
        confirmLabel="Remove File"
        onConfirm={() => doomed && remove.mutate(doomed)}
        onClose={() => setDoomed(null)}
      >
        <p className="font-semibold wrap-anywhere text-ink">{doomed?.name}</p>
        <p>
          Nobody can download it any more
          {doomed &&
            doomed.sold > 0 &&
            `, including those who have paid for it (${countOf(doomed.sold, "copy", "copies")})`}
          . To replace it, add the new file first.
        </p>
      </ConfirmDialog>
    </>
  );
}
