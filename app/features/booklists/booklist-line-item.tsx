import { lazy, Suspense, useId } from "react";
import { Link } from "react-router";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { bookIsbn, publisherName } from "#app/features/books/book.ts";
import { bookPath } from "#app/features/books/book-address.ts";
import { shortageNote } from "#app/features/cart/cart.ts";
import { useCart } from "#app/features/cart/use-cart.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { BooklistLine } from "./booklist.ts";
import { isAvailable } from "./ticks.ts";

/**
 * Lazy, because most lists have no sold-out line. If its code can't be loaded, the page stays as the server rendered it.
 */
const SoldOutChoices = lazy(() =>
  import("./sold-out-choices.tsx").then(
    (module) => ({ default: module.SoldOutChoices }),
    (error) => (import.meta.env.SSR ? Promise.reject(error) : new Promise<never>(() => {})),
  ),
);

type BooklistLineItemProps = {
  line: BooklistLine;
  /** How many children the list is for. */
  quantity: number;
  ticked: boolean;
  onTick: (on: boolean) => void;
};

/** A line with cover, price and stock. Lines that are sold out or not sold here have no tick box. */
export function BooklistLineItem({ line, quantity, ticked, onTick }: BooklistLineItemProps) {
  const { backendUrl } = useSiteSettings();
  const { book, copies, note } = line;
  const id = useId();
  const title = book?.title ?? line.title;
  const wanted = copies * quantity;
  const details =
    book &&
    [publisherName(book.publisher), book.edition, bookIsbn(book)].filter((text): text is string =>
      Boolean(text),
    );
  return (
    <li className="flex items-start gap-3 border-b border-line py-4 text-15 sm:gap-4 print:break-inside-avoid print:py-1.5 print:text-13">
      <label className="-m-2 grid size-11 shrink-0 cursor-pointer place-items-center print:hidden">
        <span className="sr-only">{title}</span>
        <input
          type="checkbox"
          aria-describedby={id}
          className="size-5 accent-green"
          checked={ticked}
          disabled={!isAvailable(line)}
          onChange={(event) => onTick(event.target.checked)}
        />
      </label>
      {book ? (
        <BookCover book={book} backendUrl={backendUrl} sizes="56px" className="w-14 shrink-0 print:hidden" />
      ) : (
        <span
          aria-hidden="true"
          className="aspect-3/4 w-14 shrink-0 rounded-[3px] border border-line print:hidden"
        />
      )}
      <div className="min-w-0 grow">
        <p className="font-semibold wrap-anywhere">
          {book ? (
            <Link
              to={bookPath(book)}
              className="underline decoration-line-strong underline-offset-4 hover:decoration-green"
            >
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        {book && <p className="figures font-semibold sm:hidden print:hidden">{formatCedis(book.price)}</p>}
        {/* On a single line in print, so that a class's list fits on two pages. */}
        <div className="text-13 print:flex print:flex-wrap print:gap-x-4">
          {details && (
            <p className="figures text-muted">
              <JoinedTexts texts={details} />
            </p>
          )}
          {note && <p className="wrap-anywhere">{note}</p>}
          <p id={id} className="figures">
            {countOf(copies, "copy", "copies")} per pupil. <Stock line={line} wanted={wanted} />
            {book && <InCart bookId={book.id} />}
          </p>
        </div>
        {book && book.stock_quantity <= 0 && (
          <div data-late="">
            <Suspense fallback={null}>
              <SoldOutChoices book={book} other={line.other ?? null} />
            </Suspense>
          </div>
        )}
      </div>
      {book && (
        <p className="figures shrink-0 text-right font-semibold max-sm:hidden print:block!">
          {formatCedis(book.price)}
        </p>
      )}
    </li>
  );
}

/** On its own: a line that is rendered again before its late part has come would lose that part's button. */
function InCart({ bookId }: { bookId: string }) {
  const { lines } = useCart();
  const copies = lines.find(({ book }) => book.id === bookId)?.quantity;
  return copies ? <span className="whitespace-nowrap print:hidden">. {copies} in your cart</span> : null;
}

/** Not printed: the sheet stays up for weeks, and stock changes. */
function Stock({ line: { book }, wanted }: { line: BooklistLine; wanted: number }) {
  if (!book) return <span className="text-muted">Not sold by us.</span>;
  const left = book.stock_quantity;
  if (left <= 0) return <span className="font-semibold text-clay print:hidden">{shortageNote(left)}</span>;
  if (left < wanted || left < currentShop().lowStock)
    return <span className="font-semibold text-gold-ink print:hidden">{shortageNote(left)}</span>;
  return <span className="font-semibold text-green print:hidden">In stock</span>;
}
