import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { useReplayedLateClicks } from "#app/lib/pages/early-clicks.ts";
import { BookGrid, ShopBookCard } from "./book-card.tsx";
import type { NearBooks as Near } from "./catalogue.queries.ts";

export type NearBooksProps = {
  q: string;
  near: Near;
  /** The URL of the search for another text. */
  searchHref: (q: string) => string;
};

/** Below the result, and not part of its count: what was probably meant, and the close matches. */
export function NearBooks({ q, near: { books, meant, also }, searchHref }: NearBooksProps) {
  useReplayedLateClicks();
  return (
    <section aria-label="Close matches" className="mt-4 border-t border-line pt-8">
      {meant && (
        <p className="mb-4 text-20">
          Did you mean{" "}
          <Link to={searchHref(meant)} className="font-semibold wrap-anywhere text-green underline">
            {meant}
          </Link>
          ?
        </p>
      )}
      <h2 className="text-25">Close matches</h2>
      <p className="measure mt-1 mb-6 wrap-anywhere text-muted">
        Not exact matches for “{q}”, but books with the same words in another order, other names for the same
        thing, or a similar spelling.
      </p>
      <BookGrid
        label="Close matches"
        books={books}
        isFirst={false}
        cardOf={(book) => <ShopBookCard book={book} level={3} />}
      />
      {also && (
        <Link to={searchHref(also)} className={buttonClass({ variant: "secondary", className: "mb-12" })}>
          See all books for “{also}”
        </Link>
      )}
    </section>
  );
}
