import { Link } from "react-router";
import { bookPath } from "#app/features/books/book-address.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { editionTitle } from "#app/features/books/edition-title.ts";
import { AddToCartButton } from "#app/features/cart/add-to-cart-button.tsx";
import { bookAttribute } from "#app/features/session/sign-in-return.ts";
import { StockAlertButton } from "#app/features/stock-alerts/stock-alert-button.tsx";
import { useReplayedLateClicks } from "#app/lib/pages/early-clicks.ts";
import { formatCedis } from "#shared/text/money.ts";

type SoldOutChoicesProps = {
  book: CardBook;
  /** An edition that is in stock, if there is one. */
  other: CardBook | null;
};

/** What a customer can do about a line that is sold out: wait for an email, or take another edition. */
export function SoldOutChoices({ book, other }: SoldOutChoicesProps) {
  useReplayedLateClicks();
  return (
    <>
      <div {...bookAttribute(book.id)}>
        <StockAlertButton book={book} />
      </div>
      {other && <OtherEdition book={other} />}
    </>
  );
}

/** Offers an edition in stock instead of the sold-out one. */
function OtherEdition({ book }: { book: CardBook }) {
  return (
    <div
      className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden"
      {...bookAttribute(book.id)}
    >
      <p className="text-13 wrap-anywhere">
        In stock in another edition:{" "}
        <Link to={bookPath(book)} className="font-semibold underline underline-offset-4 hover:text-green">
          {editionTitle(book)}
        </Link>
        , <span className="figures font-semibold">{formatCedis(book.price)}</span>
      </p>
      <AddToCartButton book={book} />
    </div>
  );
}
