import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { findLastBookImport } from "#app/office/catalogue/book-import/book-import.queries.ts";
import { LEFT_OUT, leftOutWords } from "#app/office/catalogue/book-import/rows-left-out.ts";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { CopyCovers } from "./copy-covers.tsx";
import { type ImportState, isPriceChange } from "./import.admin-queries.ts";
import { LeftOutButton } from "./left-out-button.tsx";
import { RemainingBooks } from "./remaining-books.tsx";
import { UndoImport } from "./undo-import.tsx";
import { UnfinishedSteps } from "./unfinished-steps.tsx";

/** What an import did, and the way to take it back while it is the last one. */
export function ImportResult({ bookImport }: { bookImport: ImportState }) {
  const last = useAdminQuery(["book-import", "last"], findLastBookImport);
  const ofPrices = isPriceChange(bookImport);
  const notImported = leftOutWords(bookImport);
  const undone = bookImport.status === "undone";
  if (bookImport.status === "applying" || bookImport.status === "undoing")
    return <UnfinishedSteps bookImport={bookImport} />;
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <Callout tone={undone ? "information" : "success"}>
        <p className="font-semibold wrap-anywhere">
          <bdi>{bookImport.file_name ?? "The file"}</bdi>{" "}
          {ofPrices
            ? undone
              ? "was undone"
              : "was applied"
            : undone
              ? "was imported and undone"
              : "has been imported"}
        </p>
        <p className="figures">
          {bookImport.applied_at && `On ${formatMinute(bookImport.applied_at)}: `}
          {ofPrices
            ? `${countOf(bookImport.updated, "price")} changed`
            : `${countOf(bookImport.added, "book")} added, ${bookImport.updated.toLocaleString("en-GB")} changed`}
          , {bookImport.unchanged.toLocaleString("en-GB")} unchanged
        </p>
        {notImported && (
          <p className="figures">
            {ofPrices ? "Not changed" : "Not imported"}: {notImported}
          </p>
        )}
        {undone && bookImport.undone_at && (
          <p className="figures">
            Undone on {formatMinute(bookImport.undone_at)}: {countOf(bookImport.deleted, "book")} deleted,{" "}
            {bookImport.restored.toLocaleString("en-GB")} changed back,{" "}
            {bookImport.kept.toLocaleString("en-GB")} kept
          </p>
        )}
      </Callout>
      <div className="flex flex-wrap gap-3">
        <Link to="/admin/books" className={buttonClass()}>
          See the books
        </Link>
        {!ofPrices && (
          <Link to="/admin/books/import" className={buttonClass({ variant: "secondary" })}>
            Import another file
          </Link>
        )}
        {last.data?.id === bookImport.id && <UndoImport id={bookImport.id} fileName={bookImport.file_name} />}
      </div>
      {notImported && (
        <div>
          <div className="flex flex-wrap gap-3">
            {LEFT_OUT.map(({ kind }) => (
              <LeftOutButton key={kind} bookImport={bookImport} counts={bookImport} kind={kind} />
            ))}
          </div>
          <p className="mt-1.5 text-muted">
            Each with its line and its reason.{" "}
            {!ofPrices &&
              bookImport.refused > 0 &&
              "Correct rows with problems in a spreadsheet and import them as another file."}
          </p>
        </div>
      )}
      {!undone && last.data && last.data.id !== bookImport.id && (
        <p className="text-muted">Only the last import can be undone; another one followed.</p>
      )}
      {undone && <RemainingBooks importId={bookImport.id} />}
      {!ofPrices && !undone && <CopyCovers />}
    </div>
  );
}
