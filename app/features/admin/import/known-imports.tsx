import { Link } from "react-router";
import { Callout } from "#app/components/callout.tsx";
import { Panel } from "#app/components/panel.tsx";
import { RetryNote } from "#app/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { formatMinute } from "#app/lib/dates.ts";
import { findLastImport, listStagedImports } from "./import.admin-queries.ts";
import { readImportRecord } from "./import-records.ts";
import { counted } from "./import-words.ts";
import { UndoImport } from "./undo-import.tsx";

/** Leads back to a file that this browser has sent whole and nobody has decided on. */
export function UnfinishedImport() {
  const staged = useAdminQuery(["book-import", "staged"], listStagedImports);
  const known = staged.data?.find(({ id }) => readImportRecord(id)?.complete);
  if (!known) return null;
  return (
    <Callout>
      <bdi className="font-semibold break-all">{known.file_name ?? "A file"}</bdi> was checked and not
      imported yet.{" "}
      <Link to={`?id=${known.id}`} className="font-semibold underline">
        Continue with it
      </Link>
    </Callout>
  );
}

/** The import that can be taken back. */
export function LastImport() {
  const query = useAdminQuery(["book-import", "last"], findLastImport);
  const failure = readFailure("last import", query);
  if (failure) return <RetryNote {...failure} />;
  const last = query.data;
  if (!last) return null;
  return (
    <Panel title="Last import">
      <p>
        <bdi className="font-semibold break-all">{last.file_name ?? "A file"}</bdi>
        {last.applied_at && `, ${formatMinute(last.applied_at)}`}: {counted(last.added, "book")} added,{" "}
        {last.updated.toLocaleString("en-GB")} changed
      </p>
      <div className="mt-3">
        <UndoImport id={last.id} fileName={last.file_name} />
      </div>
    </Panel>
  );
}
