import { useRef } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { CartLinks } from "#app/features/cart/cart-links.tsx";
import { countOf } from "#app/lib/count-of.ts";
import { useStore } from "#app/lib/create-store.ts";
import { logFailure } from "#app/lib/failure-message.ts";
import { formatCedis } from "#app/lib/money.ts";
import { useRead } from "#app/lib/use-read.ts";
import { lookUp } from "./look-up.ts";
import { OpenLines } from "./open-lines.tsx";
import { OrderInput } from "./order-input.tsx";
import type { OrderLine } from "./order-lines.ts";
import { type PadLine, type ReadyTitle, sortPad, sumReady } from "./pad.ts";
import { changePad, pad } from "./pad-store.ts";
import { ReadyTitles } from "./ready-titles.tsx";
import { type Added, useBulkOrder } from "./use-bulk-order.ts";

/** A school's list becomes a cart: lines in, what the shop understood of each, and one button. */
export function BulkOrderPad() {
  const { lines, checkedAt } = useStore(pad);
  const result = useRef<HTMLHeadingElement>(null);
  const { add, adding, added, forgetAdded } = useBulkOrder();
  const found = useRead(lines.length > 0 ? String(checkedAt) : null, () => lookUp(lines), {
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

  const remove = (gone: readonly PadLine[]) => change(lines.filter((line) => !gone.includes(line)));

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
      {added && <AddedNote added={added} left={lines.length} />}
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
            <Result
              {...sortPad(lines, found.result)}
              adding={adding}
              onAdd={(ready) => void add(ready)}
              onChange={(line, changes) =>
                change(lines.map((one) => (one === line ? { ...one, ...changes } : one)))
              }
              onQuantity={setQuantity}
              onRemove={remove}
            />
          )}
        </div>
      )}
    </div>
  );
}

type ResultProps = ReturnType<typeof sortPad> & {
  adding: boolean;
  onAdd: (ready: readonly ReadyTitle[]) => void;
  onChange: (line: PadLine, change: Partial<PadLine>) => void;
  onQuantity: (title: ReadyTitle, quantity: number) => void;
  onRemove: (lines: readonly PadLine[]) => void;
};

function Result({ ready, open, adding, onAdd, onChange, onQuantity, onRemove }: ResultProps) {
  const { titles, copies, total } = sumReady(ready);
  return (
    <>
      <OpenLines open={open} onChange={onChange} onRemove={onRemove} />
      <ReadyTitles ready={ready} onQuantity={onQuantity} onRemove={onRemove} />
      {titles > 0 && (
        <div className="sticky bottom-0 -mx-4 flex items-center justify-between gap-3 border-t border-line bg-surface px-4 py-3 shadow-float sm:mx-0 sm:px-6">
          <p role="status" className="figures text-13 sm:text-15">
            {countOf(titles, "title")}, {countOf(copies, "copy", "copies")}{" "}
            <span className="block text-17 font-semibold sm:text-20">{formatCedis(total)}</span>
          </p>
          <Button
            size="large"
            className="max-sm:px-4! max-sm:text-15!"
            busy={adding}
            onClick={() => onAdd(ready)}
          >
            <span className="visitor-only">Sign In to Add</span>
            <span className="member-only">
              {adding ? "Adding…" : `Add ${countOf(titles, "title")} to Cart`}
            </span>
          </Button>
        </div>
      )}
    </>
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

function AddedNote({ added: { titles, copies, short }, left }: { added: Added; left: number }) {
  return (
    <Callout tone={left > 0 || short.length > 0 ? "warning" : "success"} scrollsIntoView>
      <p className="text-17 font-semibold">
        {countOf(titles, "title")} ({countOf(copies, "copy", "copies")}) added to your cart.
      </p>
      {left > 0 && <p>{countOf(left, "line is", "lines are")} not in your cart. See why below.</p>}
      {short.length > 0 && (
        <p className="wrap-anywhere">
          We have too few copies of <JoinedTexts texts={short} separator=", " />. Your cart shows how many are
          left.
        </p>
      )}
      <CartLinks />
    </Callout>
  );
}
