import { useRef } from "react";
import { Button } from "#app/components/button.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { countOf } from "#shared/text/count-of.ts";
import { OrderInput } from "./order-input.tsx";
import type { OrderLine } from "./order-lines.ts";
import { type PadLine, type ReadyTitle, withReadings } from "./pad.ts";
import { changePad, pad } from "./pad-store.ts";
import { useBulkOrder } from "./use-bulk-order.ts";

/** What the lines mean, and the code that shows it, which an empty pad does not need. */
async function check(lines: readonly PadLine[]) {
  const [{ PadResult }, { lookUp }] = await Promise.all([import("./pad-result.tsx"), import("./look-up.ts")]);
  return { PadResult, matches: await lookUp(lines) };
}

/** Turns a school's list into a cart: its lines, what each of them matches, and one button to add everything. */
export function BulkOrderPad() {
  const { lines, checkedAt } = useStore(pad);
  const result = useRef<HTMLHeadingElement>(null);
  const { add, adding, added, forgetAdded } = useBulkOrder();
  const found = useRead(lines.length > 0 ? String(checkedAt) : null, () => check(lines), {
    onResult: ({ matches }) => changePad(withReadings(pad.get().lines, matches)),
    onFailure: (error) => logFailure("Failed to check lines", error),
  });

  /** The control that was used may be gone with its line: the focus stays with the lines. */
  function change(next: readonly PadLine[], focus = true) {
    changePad(next);
    if (focus) result.current?.focus();
  }

  function takeLines(read: readonly OrderLine[]) {
    const last = Math.max(0, ...lines.map(({ line }) => line));
    const fresh = read.map((line) => ({ ...line, line: last + line.line, bookId: null, refusal: null }));
    forgetAdded();
    changePad([...lines, ...fresh], { check: true });
  }

  /** With the book's own ISBN or title, the next check finds the line again. */
  function choose(line: PadLine, book: CardBook) {
    if (found.status !== "ready") return;
    const [isbn, { title }] = [book.isbn ?? "", book];
    const matches = new Map(found.result.matches).set(isbn || title, { matches: 1, books: [book] });
    found.set({ ...found.result, matches });
    change(lines.map((one) => (one === line ? { ...one, isbn, title, bookId: book.id, readings: [] } : one)));
  }

  const remove = (removed: readonly PadLine[]) => change(lines.filter((line) => !removed.includes(line)));

  function setQuantity({ lines: own }: ReadyTitle, quantity: number) {
    const [first, ...others] = own;
    const rest = lines.filter((line) => !others.includes(line));
    change(
      rest.map((line) => (line === first ? { ...line, quantity } : line)),
      false,
    );
  }

  return (
    <div className="flex flex-col gap-10">
      <OrderInput taken={lines.length} onLines={takeLines} />
      {added && <added.Note added={added} left={lines.length} />}
      {lines.length > 0 && (
        <div className="flex flex-col gap-8">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 ref={result} tabIndex={-1} className="text-25 outline-none sm:text-32">
              {countOf(lines.length, "line")} on your list
            </h2>
            <Button variant="quiet" className="-mx-4" onClick={() => changePad([])}>
              Clear list
            </Button>
          </div>
          {found.status === "loading" && <Checking />}
          {found.status === "failed" && (
            <LoadFailed text="We couldn't check your lines." onTryAgain={found.retry} />
          )}
          {found.status === "ready" && (
            <found.result.PadResult
              lines={lines}
              matches={found.result.matches}
              adding={adding}
              onAdd={(ready) => void add(ready)}
              onChange={(line, changes) =>
                change(lines.map((one) => (one === line ? { ...one, ...changes } : one)))
              }
              onChoose={choose}
              onQuantity={setQuantity}
              onRemove={remove}
            />
          )}
        </div>
      )}
    </div>
  );
}

function Checking() {
  return (
    <div aria-busy="true">
      <p role="status" className="mb-3">
        Checking your lines...
      </p>
      <Skeleton className="h-64" />
    </div>
  );
}
