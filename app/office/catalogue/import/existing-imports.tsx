import { Link } from "react-router";
import { Callout } from "#app/components/callout.tsx";
import { findLastBookImport } from "#app/office/catalogue/book-import/book-import.queries.ts";
import { readImportRecord } from "#app/office/catalogue/book-import/import-records.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { listStagedImports } from "./import.admin-queries.ts";
import { UndoImport } from "./undo-import.tsx";
import { UnfinishedSteps } from "./unfinished-steps.tsx";

/** Links back to imports that this browser uploaded completely and that are neither applied nor discarded. */
export function UnfinishedImport() {
  const staged = useAdminQuery(["book-import", "staged"], listStagedImports);
  const bookImport = staged.data?.find(({ id }) => readImportRecord(id)?.complete);
  if (!bookImport) return null;
  return (
    <Callout>
      <bdi className="font-semibold break-all">{bookImport.file_name ?? "A file"}</bdi> was checked and not
      imported yet.{" "}
      <Link to={`?id=${bookImport.id}`} className="font-semibold underline">
        Continue with it
      </Link>
    </Callout>
  );
}

/** The import that can be taken back. */
export function LastImport() {
  const query = useAdminQuery(["book-import", "last"], findLastBookImport);
  const failure = readFailure("last import", query);
  if (failure) return <RetryNote {...failure} />;
  const last = query.data;
  if (!last) return null;
  if (last.status !== "applied") {
    return (
      <Panel title="Unfinished import">
        <UnfinishedSteps bookImport={last} />
      </Panel>
    );
  }
  return (
    <Panel title="Last import">
      <p>
        <Link to={`?id=${last.id}`} className="font-semibold break-all underline underline-offset-4">
          <bdi>{last.file_name ?? "A file"}</bdi>
        </Link>
        {last.applied_at && `, ${formatMinute(last.applied_at)}`}: {countOf(last.added, "book")} added,{" "}
        {last.updated.toLocaleString("en-GB")} changed
      </p>
      <div className="mt-3">
        <UndoImport id={last.id} fileName={last.file_name} />
      </div>
    </Panel>
  );
}
