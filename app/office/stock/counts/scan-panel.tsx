import { useRef } from "react";
import { Button } from "#app/components/button.tsx";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { ScanBox } from "#app/office/frame/scanning/scan-box.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { findCountLine } from "./count.admin-queries.ts";
import { ScannedLine } from "./scanned-line.tsx";
import { readScan } from "./typed-scan.ts";
import type { Scans } from "./use-scans.ts";

/** The field for scans, and the line of the last scanned book. */
export function ScanPanel({ countId, scans }: { countId: string; scans: Scans }) {
  const input = useRef<HTMLInputElement>(null);
  const { bookId } = scans;
  const line = useAdminQuery(
    ["counts", "line", countId, bookId],
    (client) => findCountLine(client, countId, bookId ?? ""),
    { refreshing: "often", enabled: bookId !== null },
  );
  const { question } = useUnsavedChanges(scans.waiting > 0, { links: true });

  function scan(typed: string) {
    const read = readScan(typed);
    if (!read || (read.code === null && bookId === null)) return false;
    scans.scan({
      ...(read.code === null ? { bookId: bookId ?? "" } : { code: read.code }),
      ...(read.copies !== null && { copies: read.copies }),
    });
    return true;
  }

  return (
    <section aria-label="Scan" className="rounded-card border border-line-strong bg-paper p-4">
      <ScanBox
        ref={input}
        label="Scan or type an ISBN or code"
        hint="Each scan is one copy. Type × or * and a number to set the copies, such as 9780008123456 * 12. Don't count copies set aside for orders: they are no longer in stock."
        action="Count"
        scan={scan}
        result={
          line.data
            ? { id: line.data.own ?? 0, text: `${line.data.title}: ${line.data.counted ?? 0} counted` }
            : undefined
        }
        isResultElsewhere
        problems={scans.refused}
        clearProblems={scans.clearRefused}
      />
      {scans.stopped && scans.waiting > 0 && (
        <div role="alert" className="mt-3 flex flex-wrap items-center gap-3 text-clay">
          {countOf(scans.waiting, "scan is", "scans are")} not sent yet: the shop isn't responding.
          <Button variant="secondary" size="small" onClick={scans.sendAgain}>
            Send again
          </Button>
        </div>
      )}
      {line.data && (
        <ScannedLine
          key={line.data.book_id}
          line={line.data}
          sending={scans.waiting > 0 && !scans.stopped}
          onCopies={(copies) => {
            scans.scan({ bookId: line.data?.book_id, copies });
            input.current?.focus();
          }}
          onCode={(code) => {
            scans.scan({ code });
            input.current?.focus();
          }}
        />
      )}
      {question}
    </section>
  );
}
