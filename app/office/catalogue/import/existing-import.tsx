import { Link } from "react-router";
import { Callout } from "#app/components/callout.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { findImport, isPriceChange } from "./import.admin-queries.ts";
import { ImportCheck } from "./import-check.tsx";
import { ImportResult } from "./import-result.tsx";
import { ImportSteps } from "./import-steps.tsx";

/** An import that is in the database: what it would do, or what it did. */
export function ExistingImport({ id }: { id: string }) {
  const found = useAdminQuery(["book-import", id], (client) => findImport(client, id));
  const failure = readFailure("import", found);
  if (failure) return <RetryNote {...failure} />;
  if (found.data === undefined) return <Skeleton className="h-40" />;
  if (found.data === null) {
    return (
      <Callout tone="warning">
        This import no longer exists: what is not confirmed is kept for a day.{" "}
        <Link to="/admin/books/import" className="font-semibold underline">
          Choose the file again
        </Link>
      </Callout>
    );
  }
  const isStaged = found.data.status === "staged";
  return (
    <>
      {!isPriceChange(found.data) && <ImportSteps current={isStaged ? "Check" : "Result"} />}
      {isStaged ? <ImportCheck bookImport={found.data} /> : <ImportResult bookImport={found.data} />}
    </>
  );
}
