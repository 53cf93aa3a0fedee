import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { digitalName } from "#app/features/books/kinds.ts";
import { type CartLine, copiesShort, lineTotal, shortageNote } from "#app/features/cart/cart.ts";
import { openCartPanel } from "#app/features/cart/cart-panel-store.ts";
import { CartSummary, type Shipping } from "#app/features/cart/cart-summary.tsx";
import { TakeLeft } from "#app/features/cart/take-left.tsx";
import { cart } from "#app/features/cart/use-cart.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { formatCedis } from "#shared/text/money.ts";

type OrderSummaryProps = {
  lines: readonly CartLine[];
  /** Added to the price of the books. */
  shipping: Shipping;
};

/** How many lines of a long summary are shown before it is expanded. */
const FIRST_LINES = 4;

/** A long list shows only its first lines and those with a problem, so that the total stays in sight. */
export function OrderSummary({ lines, shipping }: OrderSummaryProps) {
  const [unfolded, setUnfolded] = useState(false);
  const firsts = lines.filter((line, index) => index < FIRST_LINES || copiesShort(line) !== null);
  // Collapsing a line or two would save no space.
  const isFolded = !unfolded && lines.length - firsts.length > 2;
  return (
    <section aria-labelledby="order-summary">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="order-summary" className="text-20 sm:text-25">
          Order Summary
        </h2>
        <Button variant="quiet" size="small" className="-mr-3" onClick={openCartPanel}>
          Change
        </Button>
      </div>
      <ul aria-label="Books to order" className="mt-2">
        {(isFolded ? firsts : lines).map((line) => (
          <SummaryLine key={line.id} line={line} />
        ))}
      </ul>
      {isFolded && (
        <Button variant="quiet" size="small" className="mb-3 -ml-3" onClick={() => setUnfolded(true)}>
          Show all {lines.length} titles
        </Button>
      )}
      <div className="border-t border-line pt-4">
        <CartSummary lines={lines} shipping={shipping} />
      </div>
    </section>
  );
}

function SummaryLine({ line }: { line: CartLine }) {
  const { backendUrl } = useSiteSettings();
  const { book, quantity } = line;
  const left = copiesShort(line);
  return (
    <li className="flex gap-3 border-t border-line py-3 text-15 first:border-t-0">
      <BookCover book={book} backendUrl={backendUrl} sizes="48px" className="w-12 shrink-0 self-start" />
      <div className="min-w-0 grow">
        <p className="leading-snug wrap-anywhere font-semibold">{book.title}</p>
        {book.kind === "digital" && <p className="text-13 text-muted">{digitalName(book)}</p>}
        <p className="figures mt-1 flex flex-wrap justify-between gap-x-3">
          <span className="text-muted">
            {quantity} × {formatCedis(book.price)}
          </span>
          <span className="font-semibold">{formatCedis(lineTotal(line))}</span>
        </p>
        {left !== null && (
          <div className="flex flex-wrap items-center gap-x-3 text-13">
            <p className="font-semibold text-clay">{shortageNote(left)}</p>
            <TakeLeft
              left={left}
              title={book.title}
              onTake={(copies) => void cart.setQuantity(line.id, copies)}
            />
          </div>
        )}
      </div>
    </li>
  );
}
