import { type ReactNode, useState } from "react";
import { createPortal } from "react-dom";
import { useSearchParams } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { controlClass } from "#app/components/control.ts";
import { InputField, SelectField } from "#app/components/field.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { ScanBox } from "#app/office/frame/scanning/scan-box.tsx";
import { useBookScans } from "#app/office/frame/scanning/use-book-scans.ts";
import { countOf } from "#shared/text/count-of.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { barcodeDigits } from "./ean13.ts";
import { type LabelSource, listLabelBooks, MOST_LISTED } from "./label.admin-queries.ts";
import { type LabelBook, LabelPage } from "./label-page.tsx";
import { type LabelStockName, labelStocks, labelsPerPage, placeLabels } from "./label-sheets.ts";

/** More would take the browser minutes to print. */
const MOST_LABELS = 2_000;

const scales = { "100": 1, "90": 0.9, "80": 0.8 } as const;

function readSource(params: URLSearchParams): LabelSource {
  const [receipt, book] = [params.get("receipt") ?? "", params.get("book") ?? ""];
  if (isUuid(receipt)) return { kind: "receipt", id: receipt };
  if (isUuid(book)) return { kind: "book", id: book };
  const [q = "", publisher = "", ofKind = "", saleState = ""] = ["q", "publisher", "kind", "status"].map(
    (name) => params.get(name) ?? "",
  );
  return q || publisher || ofKind || saleState || params.has("all")
    ? { kind: "list", q, publisher, ofKind, saleState }
    : { kind: "none" };
}

/** Labels with barcode, title, price and shelf place, for the books in the URL and scanned ones. */
export function LabelsPage() {
  const [params] = useSearchParams();
  const source = readSource(params);
  const found = useAdminQuery(["books", "labels", source], (client) => listLabelBooks(client, source));
  const failure = readFailure("books", found);
  // A refetch must not replace the user's input.
  const [start, setStart] = useState<readonly Line[] | null>(null);
  if (found.data && !start)
    setStart(found.data.map(({ book, copies }) => ({ book, copies: String(copies) })));
  return (
    <AdminPage title="Labels" lead="With the barcode, title, price and shelf place, on sheets or rolls.">
      {failure && <RetryNote {...failure} />}
      {!failure && !start && <Skeleton className="h-96" />}
      {start && <LabelsForm start={start} />}
    </AdminPage>
  );
}

type Line = { book: LabelBook; copies: string };

const readCopies = (text: string): number => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : 0);

function LabelsForm({ start }: { start: readonly Line[] }) {
  const [lines, setLines] = useState(start);
  const [stockName, setStockName] = useState<LabelStockName>("a4-24");
  const [scaleName, setScaleName] = useState<keyof typeof scales>("100");
  const [typedStart, setTypedStart] = useState("1");
  const scans = useBookScans((book) => {
    const before = lines.find((line) => line.book.id === book.id);
    const copies = String(readCopies(before?.copies ?? "0") + 1);
    setLines(
      before
        ? lines.map((line) => (line === before ? { ...line, copies } : line))
        : [...lines, { book, copies }],
    );
    return `${book.title}: ${countOf(Number(copies), "label")}`;
  });
  const stock = labelStocks[stockName];
  const each = labelsPerPage(stock);
  const labels = lines.flatMap(({ book, copies }) =>
    Array.from<LabelBook>({ length: readCopies(copies) }).fill(book),
  );
  const tooMany = labels.length > MOST_LABELS;
  const pages = placeLabels(tooMany ? [] : labels, stock, each > 1 ? Number(typedStart) || 1 : 1);
  const bare = lines.filter(({ book, copies }) => readCopies(copies) > 0 && !barcodeDigits(book.isbn));
  const scale = scales[scaleName];

  return (
    <div className="grid gap-6 print:hidden">
      <ScanBox label="Scan or type an ISBN" hint="Each scan adds one label." action="Add" {...scans} />
      {lines.length === MOST_LISTED && (
        <p>These are the first {MOST_LISTED} titles of the list. Narrow your search in Books.</p>
      )}
      {lines.length > 0 && (
        <LabelLines
          lines={lines}
          onChange={(changed) =>
            setLines(lines.map((line) => (line.book.id === changed.book.id ? changed : line)))
          }
          onRemove={(id) => setLines(lines.filter(({ book }) => book.id !== id))}
        />
      )}
      {bare.length > 0 && (
        <Callout tone="warning">
          <p>
            {bare.length === 1
              ? "This book has no valid ISBN"
              : `These ${bare.length} books have no valid ISBN`}
            , so the label has no barcode: <bdi>{bare.map(({ book }) => book.title).join("; ")}</bdi>
          </p>
        </Callout>
      )}
      <div className="grid max-w-3xl gap-4 sm:grid-cols-3">
        <SelectField
          label="Labels"
          value={stockName}
          onChange={({ target }) => setStockName(target.value as LabelStockName)}
        >
          {Object.entries(labelStocks).map(([name, one]) => (
            <option key={name} value={name}>
              {one.name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Barcode size"
          value={scaleName}
          onChange={({ target }) => setScaleName(target.value as keyof typeof scales)}
        >
          {["100", "90", "80"].map((percent) => (
            <option key={percent} value={percent}>
              {percent} %
            </option>
          ))}
        </SelectField>
        {each > 1 && (
          <InputField
            label="First free label"
            type="number"
            min={1}
            max={each}
            inputMode="numeric"
            hint="On a partly used sheet, counted row by row"
            value={typedStart}
            onChange={({ target }) => setTypedStart(target.value)}
          />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={pages.length === 0} onClick={() => window.print()}>
          <OfficeIcon name="print" />
          Print {countOf(labels.length, "label")}
        </Button>
        <p className="text-13 text-muted">
          {tooMany
            ? `Up to ${MOST_LABELS.toLocaleString("en-GB")} labels are printed at once.`
            : "In the print dialog, choose the same paper, no margins and a scale of 100 %."}
        </p>
      </div>
      {pages[0] && (
        <div aria-hidden="true" className="overflow-x-auto bg-paper p-4">
          <div className="w-max border border-line-strong" style={{ zoom: each > 1 ? 0.5 : 1 }}>
            <LabelPage labels={pages[0]} stock={stock} scale={scale} />
          </div>
        </div>
      )}
      <OnPaper width={stock.page.width} height={stock.page.height}>
        {pages.map((page, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page has no other name
          <div key={index} className="break-after-page last:break-after-auto">
            <LabelPage labels={page} stock={stock} scale={scale} />
          </div>
        ))}
      </OnPaper>
    </div>
  );
}

type LabelLinesProps = {
  lines: readonly Line[];
  onChange: (line: Line) => void;
  onRemove: (bookId: string) => void;
};

function LabelLines({ lines, onChange, onRemove }: LabelLinesProps) {
  return (
    <ul aria-label="Books" className="max-w-3xl border-t border-line">
      {lines.map((line) => (
        <li
          key={line.book.id}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2"
        >
          <span className="min-w-40 grow basis-60 font-semibold wrap-anywhere">{line.book.title}</span>
          <input
            inputMode="numeric"
            autoComplete="off"
            aria-label={`Labels of ${line.book.title}`}
            className={`${controlClass} figures w-24! text-right`}
            value={line.copies}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => onChange({ ...line, copies: target.value })}
          />
          <IconAction
            icon="trash"
            label={`Remove ${line.book.title}`}
            onClick={() => onRemove(line.book.id)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Prints its children instead of the page, on paper of this size in millimetres. */
function OnPaper({ width, height, children }: { width: number; height: number; children: ReactNode }) {
  return createPortal(
    <div data-on-paper className="hidden print:block">
      <style>
        {`@page { size: ${width}mm ${height}mm; margin: 0 } @media print { body > :not([data-on-paper]) { display: none !important } }`}
      </style>
      {children}
    </div>,
    document.body,
  );
}
