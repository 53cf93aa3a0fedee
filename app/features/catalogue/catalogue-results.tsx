import { lazy, type ReactNode, Suspense } from "react";
import { Link } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Icon } from "#app/components/icon.tsx";
import { failedToLoadBooks } from "#app/features/books/books-failure.ts";
import { openCartPanel } from "#app/features/cart/cart-panel-store.ts";
import { BookGrid, ShopBookCard } from "./book-card.tsx";
import { CataloguePages } from "./catalogue-pages.tsx";
import { LAST_NUMBERED_PAGE, PAGE_SIZE } from "./catalogue-query.ts";
import { CLOSE_MATCHES } from "./near-section.tsx";
import { type CatalogueSlice, useMoreBooks } from "./use-more-books.ts";

/** Lazy, because only a page without results needs it. */
const NothingFound = lazy(async () => {
  const { NothingFound } = await import("./nothing-found.tsx");
  return { default: NothingFound };
});

/** How many books a sort order other than by title shows. */
const SORTED = LAST_NUMBERED_PAGE * PAGE_SIZE;

type CatalogueResultsProps = {
  slice: CatalogueSlice;
  total: number;
  /** Null on a page that is reached by cursor. */
  page: number | null;
  /** Every sort order except by title ends at the last numbered page. */
  isSorted: boolean;
  /** Close matches, which follow the result; an empty result is then kept short. */
  children?: ReactNode;
};

/** The count, the cards and the links to other pages, or the empty state. */
export function CatalogueResults({ slice, total, page, isSorted, children }: CatalogueResultsProps) {
  const more = useMoreBooks(slice);
  return (
    <>
      <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-3 gap-y-2 pt-2 pb-4">
        <p role="status" className="figures font-semibold">
          {`${total} Book(s) Found`}
        </p>
        {children && total > 0 && (
          <a href={`#${CLOSE_MATCHES}`} className="text-15 text-green underline underline-offset-4">
            Close matches below
          </a>
        )}
        <p className="visitor-only text-15 text-muted">Sign in to add books to your cart</p>
        <Button variant="secondary" className="member-only" onClick={openCartPanel}>
          <Icon name="cart" />
          View Cart
        </Button>
      </div>
      {more.books.length > 0 ? (
        <BookGrid
          label="Books"
          books={more.books}
          cardOf={(book, priority) => <ShopBookCard book={book} priority={priority} />}
        />
      ) : (
        <Suspense fallback={null}>
          <NothingFound total={total} isShort={Boolean(children)} />
        </Suspense>
      )}
      {more.failure && (
        <p role="alert" className="text-center text-clay">
          {failedToLoadBooks(more.failure)}
        </p>
      )}
      {more.byTitle && <SortingEnd total={total} byTitle={more.byTitle} />}
      <CataloguePages
        neighbours={{ previous: slice.neighbours.previous, next: more.next }}
        summary={pageSummary(page, more.added, isSorted ? Math.min(total, SORTED) : total)}
        more={more}
      />
      {children}
    </>
  );
}

/** Says that the sorting ends before the last book, and how to see the others. */
function SortingEnd({ total, byTitle }: { total: number; byTitle: string }) {
  return (
    <p className="measure mx-auto mb-6 text-center">
      This order ends after {SORTED.toLocaleString("en-GB")} of {total.toLocaleString("en-GB")} books.{" "}
      <a href="#shop-search" className="text-green underline underline-offset-4">
        Narrow your search
      </a>{" "}
      to see the rest, or{" "}
      <Link to={byTitle} className="text-green underline underline-offset-4">
        go through all of them by title
      </Link>
      .
    </p>
  );
}

function pageSummary(page: number | null, added: number, total: number): string {
  if (page === null) return "";
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  return added ? `Pages ${page} to ${page + added} of ${pages}` : `Page ${page} of ${pages}`;
}
