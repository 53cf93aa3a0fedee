import { Button } from "#app/components/button.tsx";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { OpenLines } from "./open-lines.tsx";
import { type Matches, type PadLine, type ReadyTitle, sortPad, sumReady } from "./pad.ts";
import { ReadyTitles } from "./ready-titles.tsx";

type PadResultProps = {
  lines: readonly PadLine[];
  matches: Matches;
  adding: boolean;
  onAdd: (ready: readonly ReadyTitle[]) => void;
  onChange: (line: PadLine, change: Partial<PadLine>) => void;
  onChoose: (line: PadLine, book: CardBook) => void;
  onQuantity: (title: ReadyTitle, quantity: number) => void;
  onRemove: (lines: readonly PadLine[]) => void;
};

/** The lines that need attention, the titles for the cart, and the button that adds them. */
export function PadResult({ lines, matches, adding, onAdd, onQuantity, ...actions }: PadResultProps) {
  const { ready, open } = sortPad(lines, matches);
  const { titles, copies, total } = sumReady(ready);
  return (
    <>
      <OpenLines open={open} {...actions} />
      <ReadyTitles ready={ready} onQuantity={onQuantity} onRemove={actions.onRemove} />
      {titles > 0 && (
        <div
          data-bottom-bar
          className="sticky bottom-0 -mx-4 flex flex-wrap items-center justify-between gap-x-2 gap-y-1.5 border-t border-line bg-surface px-4 py-3 shadow-float sm:mx-0 sm:px-6"
        >
          <p role="status" className="figures text-13 sm:text-15">
            {countOf(titles, "title")}, {countOf(copies, "copy", "copies")}{" "}
            <span className="block text-15 font-semibold sm:text-20">{formatCedis(total)}</span>
          </p>
          <Button
            size="large"
            className="whitespace-nowrap max-sm:grow max-sm:px-3! max-sm:text-15!"
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
