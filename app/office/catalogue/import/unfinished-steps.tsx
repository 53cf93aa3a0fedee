import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import type { BookImport } from "#app/office/catalogue/book-import/book-import.queries.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { applyImport } from "./import.admin-queries.ts";
import { UndoImport } from "./undo-import.tsx";

type UnfinishedStepsProps = {
  bookImport: Pick<BookImport, "id" | "file_name" | "status" | "applied_rows" | "total_rows">;
};

/** A large import that is partly applied or partly undone: how far it is, and the ways to go on. */
export function UnfinishedSteps({ bookImport }: UnfinishedStepsProps) {
  const [now, setNow] = useState(bookImport.applied_rows);
  const continuing = useAdminMutation({
    run: (client) =>
      applyImport(client, bookImport.id, true, bookImport.total_rows, ({ applied_rows }) =>
        setNow(applied_rows),
      ),
    success: (done) => ({
      title: "Books imported",
      description: `${done.added.toLocaleString("en-GB")} added, ${done.updated.toLocaleString("en-GB")} changed`,
    }),
    failure: "Failed to import books",
    long: true,
  });
  const applied = Math.max(now, bookImport.applied_rows);
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <Callout tone="warning">
        <p>
          <bdi className="font-semibold break-all">{bookImport.file_name ?? "A file"}</bdi>:{" "}
          {applied.toLocaleString("en-GB")} of {countOf(bookImport.total_rows, "row")} applied
        </p>
        <p>
          {bookImport.status === "applying"
            ? "The import is still running, or it was interrupted. If you continue, rows with problems will be left out."
            : "This import is still being undone, or the undo was interrupted."}
        </p>
      </Callout>
      <div className="flex flex-wrap gap-3">
        {bookImport.status === "applying" && (
          <Button busy={continuing.isPending} onClick={() => continuing.mutate(undefined)}>
            {continuing.isPending ? "Importing..." : "Continue this import"}
          </Button>
        )}
        {!continuing.isPending && <UndoImport id={bookImport.id} fileName={bookImport.file_name} />}
      </div>
      {continuing.isPending && (
        <progress
          aria-label="Importing books"
          value={applied}
          max={bookImport.total_rows}
          className="w-full max-w-xl accent-green"
        />
      )}
    </div>
  );
}
