import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import {
  type BookImportCounts,
  type StockCounts,
  summariseBookImport,
} from "#app/office/catalogue/book-import/book-import.queries.ts";
import {
  forgetImportRecord,
  type ImportRecord,
  readImportRecord,
} from "#app/office/catalogue/book-import/import-records.ts";
import {
  type ImportTotals,
  newCopiesWords,
  readTotals,
} from "#app/office/catalogue/book-import/import-totals.ts";
import { conversionWords } from "#app/office/catalogue/book-import/price-conversion.ts";
import { stockWords } from "#app/office/catalogue/book-import/stock-words.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { CheckLine } from "./check-line.tsx";
import { applyImport, type ImportState, isPriceChange } from "./import.admin-queries.ts";
import { LeftOutButton } from "./left-out-button.tsx";
import { NoteDetails } from "./note-details.tsx";
import { notBooksWords } from "./other-lines.tsx";
import { PlanList } from "./plan-list.tsx";
import { PlanOddities } from "./plan-oddities.tsx";
import { PlanTotals } from "./plan-totals.tsx";

/** The dry run: what would be added, changed, left out and why. Nothing happens before it is confirmed. */
export function ImportCheck({ bookImport }: { bookImport: ImportState }) {
  const [record] = useState(() => readImportRecord(bookImport.id));
  const summary = useAdminQuery(["book-import", bookImport.id, "summary"], (client) =>
    summariseBookImport(client, bookImport.id),
  );
  const failure = readFailure("import", summary);
  if (record && !record.complete) return <Incomplete id={bookImport.id} />;
  if (failure && !summary.data) return <RetryNote {...failure} />;
  if (!summary.data) {
    return (
      <div>
        <p role="status" className="mb-3">
          Comparing the rows with the books of the shop...
        </p>
        <Skeleton className="h-40" />
      </div>
    );
  }
  const { figures: json, ...counts } = summary.data;
  const totals = readTotals(json);
  return (
    <>
      <Counts bookImport={bookImport} counts={counts} record={record} />
      <PlanTotals totals={totals} />
      <PlanOddities importId={bookImport.id} oddities={totals.oddities} />
      <Decision bookImport={bookImport} counts={counts} totals={totals} />
      <PlanList bookImport={bookImport} counts={counts} oddities={totals.oddities} />
    </>
  );
}

function Incomplete({ id }: { id: string }) {
  return (
    <Callout tone="warning">
      Sending this file was interrupted, so only a part of it arrived. Nothing has changed in the shop.{" "}
      <Link
        to="/admin/books/import"
        onClick={() => forgetImportRecord(id)}
        className="font-semibold underline"
      >
        Choose the file again
      </Link>
    </Callout>
  );
}

type AllCounts = BookImportCounts & StockCounts;

const rowsIn = ({ added, updated, unchanged, refused, not_books }: BookImportCounts) =>
  added + updated + unchanged + refused + not_books;

type CountsProps = { bookImport: ImportState; counts: AllCounts; record: ImportRecord | null };

/** How many books are new, changed, unchanged and left out, and what was noted on the way. */
function Counts({ bookImport, counts, record }: CountsProps) {
  const ofPrices = isPriceChange(bookImport);
  const problems = counts.refused;
  return (
    <div className="mb-6 flex flex-col gap-4">
      {record === null && !ofPrices && (
        <Callout tone="warning">
          This import was prepared in another browser. Make sure that {countOf(rowsIn(counts), "row")} is the
          whole file.
        </Callout>
      )}
      <p>
        <bdi className="font-semibold break-all">{bookImport.file_name ?? "This file"}</bdi>:{" "}
        {!ofPrices && `${countOf(counts.added, "book")} ${isAre(counts.added)} new, `}
        {countOf(counts.updated, "book")} would change, {counts.unchanged.toLocaleString("en-GB")}{" "}
        {ofPrices ? "stay as they are" : "already match"}
        {problems > 0 && `, ${countOf(problems, "row")} ${problems === 1 ? "has" : "have"} problems`}.{" "}
        {stockWords(counts)}
      </p>
      {bookImport.conversion && (
        <p>Prices that are not in cedis: {conversionWords(bookImport.conversion)}.</p>
      )}
      {record && (
        <NoteDetails
          title={countOf(record.hints.count, "note")}
          suffix="on how rows were read"
          notes={record.hints}
        />
      )}
      {problems > 0 && (
        <div>
          <LeftOutButton bookImport={bookImport} counts={counts} kind="refused" />
          <p className="mt-1.5 text-muted">
            Each row with its line and its reason.{" "}
            {!ofPrices && "Correct it in a spreadsheet and import it as another file."}
          </p>
        </div>
      )}
      {counts.not_books > 0 && (
        <p>
          {notBooksWords(counts.not_books)}.{" "}
          <Link
            to={`?id=${bookImport.id}&show=not_a_book#rows`}
            className="font-semibold text-green underline underline-offset-4"
          >
            Show {counts.not_books === 1 ? "this line" : "these lines"}
          </Link>
        </p>
      )}
    </div>
  );
}

type DecisionProps = { bookImport: ImportState; counts: AllCounts; totals: ImportTotals };

/** What has to be confirmed, and the import. */
function Decision({ bookImport, counts, totals }: DecisionProps) {
  const navigate = useNavigate();
  const ofPrices = isPriceChange(bookImport);
  const [leaveOut, setLeaveOut] = useState(false);
  const [hasLooked, setHasLooked] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const apply = useAdminMutation({
    run: (client, skipRefused: boolean) => applyImport(client, bookImport.id, skipRefused, rowsIn(counts)),
    success: (done) => ({
      title: ofPrices ? "Prices changed" : "Books imported",
      description: `${done.added.toLocaleString("en-GB")} added, ${done.updated.toLocaleString("en-GB")} changed`,
    }),
    failure: ofPrices ? "Failed to change the prices" : "Failed to import books",
    long: true,
  });
  const problems = counts.refused;
  const mustLook = totals.oddities.some(({ isGrave }) => isGrave);
  const writing = counts.added + counts.updated;
  const ready = writing > 0 && (problems === 0 || leaveOut) && (!mustLook || hasLooked);

  return (
    <div className="mb-6 flex flex-col gap-4">
      {problems > 0 && writing > 0 && (
        <CheckLine
          label={`Leave out ${countOf(problems, "row")} with problems and ${ofPrices ? "change" : "import"} the others`}
          checked={leaveOut}
          onChange={setLeaveOut}
        />
      )}
      {mustLook && writing > 0 && (
        <CheckLine
          label="I have looked at what is marked “Look first”, and it is right"
          checked={hasLooked}
          onChange={setHasLooked}
        />
      )}
      {writing === 0 && <p>There is nothing to {ofPrices ? "change" : "import"}.</p>}
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={!ready} busy={apply.isPending} onClick={() => setConfirming(true)}>
          {ofPrices
            ? apply.isPending
              ? "Changing…"
              : `Change ${countOf(writing, "price")}`
            : apply.isPending
              ? "Importing..."
              : `Import ${countOf(writing, "book")}`}
        </Button>
        <Link
          to={ofPrices ? "/admin/books" : "/admin/books/import"}
          onClick={() => forgetImportRecord(bookImport.id)}
          className={buttonClass({ variant: "secondary" })}
        >
          {ofPrices ? "Change nothing" : "Discard this import"}
        </Link>
      </div>
      {apply.isPending && (
        <progress
          aria-label={ofPrices ? "Changing prices" : "Importing books"}
          className="w-full max-w-xl accent-green"
        />
      )}
      <ConfirmDialog
        open={confirming}
        question={ofPrices ? "Change these prices?" : "Import these books?"}
        confirmLabel={ofPrices ? "Change" : "Import"}
        variant="primary"
        onConfirm={() => {
          if (!apply.isPending)
            apply.mutate(leaveOut, { onSuccess: () => navigate(`?id=${bookImport.id}`, { replace: true }) });
        }}
        onClose={() => setConfirming(false)}
      >
        <p>
          {!ofPrices && `${countOf(counts.added, "book")} ${isAre(counts.added)} added and `}
          {countOf(counts.updated, "book")} {isAre(counts.updated)} changed
          {problems > 0 ? `; ${countOf(problems, "row")} ${isAre(problems)} left out` : ""}.{" "}
          {stockWords(counts)} {newCopiesWords(counts.added, totals)} You can undo it afterwards.
        </p>
      </ConfirmDialog>
    </div>
  );
}

function isAre(count: number): string {
  return count === 1 ? "is" : "are";
}
