import { Button } from "#app/components/button.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { publisherName } from "#app/features/books/book.ts";
import { unavailableWords } from "#app/features/books/left-words.ts";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { MoveButton } from "#app/office/components/move-button.tsx";
import { leftToSell } from "#app/office/frame/lines/left-to-sell.ts";
import { formatCedis } from "#shared/text/money.ts";
import { type DraftLine, limits, MAX_COPIES } from "./booklist-draft.ts";

const inputClass =
  "min-h-11 rounded-control border border-line-strong bg-surface px-2.5 text-15 hover:border-green aria-invalid:border-clay @4xl:min-h-9";

type LineRowProps = {
  line: DraftLine;
  /** Counted from 1. */
  place: number;
  isFirst: boolean;
  isLast: boolean;
  copiesProblem: boolean;
  onChange: (changes: Partial<Pick<DraftLine, "copies" | "is_required" | "note">>) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
  onUseNewer: () => void;
};

export function LineRow({
  line,
  place,
  isFirst,
  isLast,
  copiesProblem,
  onChange,
  onMove,
  onRemove,
  onUseNewer,
}: LineRowProps) {
  const { title, newer } = line;
  return (
    <div className="grid gap-x-4 gap-y-2 @4xl:grid-cols-[minmax(0,1fr)_auto_minmax(8rem,14rem)_auto] @4xl:items-center">
      <div>
        <p className="font-semibold wrap-anywhere">
          <span className="figures mr-2 font-normal text-muted">{place}.</span>
          <bdi>{title}</bdi>
        </p>
        <p className="figures text-13 text-muted">
          <JoinedTexts texts={describeBook(line)} />
        </p>
        {newer && (
          <p className="mt-1 flex flex-wrap items-center gap-x-2 text-15 text-gold-ink">
            Newer: <bdi>{newer.edition ?? newer.title}</bdi>, {formatCedis(newer.price)}
            <Button
              variant="quiet"
              size="small"
              aria-label={`Use the newer edition of ${title}`}
              onClick={onUseNewer}
            >
              Use the newer edition
            </Button>
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="flex items-center gap-2">
          <input
            type="text"
            inputMode="numeric"
            aria-label={`Copies of ${title} per pupil`}
            aria-invalid={copiesProblem || undefined}
            title={copiesProblem ? `1 to ${MAX_COPIES}` : undefined}
            className={`${inputClass} figures w-14 text-right`}
            value={line.copies}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => onChange({ copies: target.value })}
          />
          <span aria-hidden="true">per pupil</span>
        </span>
        <label className="flex min-h-11 items-center gap-2 @4xl:min-h-9">
          <input
            type="checkbox"
            className="size-5 accent-green"
            aria-label={`${title} is required`}
            checked={line.is_required}
            onChange={({ target }) => onChange({ is_required: target.checked })}
          />
          <span aria-hidden="true">Required</span>
        </label>
      </div>
      <input
        type="text"
        aria-label={`Note on ${title}`}
        placeholder="Note"
        maxLength={limits.note}
        className={`${inputClass} w-full min-w-0`}
        value={line.note}
        onChange={({ target }) => onChange({ note: target.value })}
      />
      <div className="-ml-3 flex whitespace-nowrap @4xl:ml-0">
        <MoveButton label={`Move ${title} up`} icon="chevron-up" isEnd={isFirst} onMove={() => onMove(-1)} />
        <MoveButton
          label={`Move ${title} down`}
          icon="chevron-down"
          isEnd={isLast}
          onMove={() => onMove(1)}
        />
        <IconAction icon="trash" label={`Remove ${title}`} onClick={onRemove} />
      </div>
    </div>
  );
}

function describeBook({ book, book_id }: DraftLine): string[] {
  if (!book) return [book_id ? "No longer in the shop" : "Not sold here"];
  const parts = [book.isbn, publisherName(book.publisher), book.edition, formatCedis(book.price)];
  return [
    ...parts,
    book.stock_quantity > 0 ? leftToSell(book.stock_quantity) : unavailableWords(book.stock_quantity),
  ].filter((part): part is string => Boolean(part));
}
