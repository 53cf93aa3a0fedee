import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Icon } from "#app/components/icon.tsx";
import { failedToLoadBooks } from "#app/features/books/books-failure.ts";
import { openCartPanel } from "#app/features/cart/cart-panel-store.ts";
import { BookGrid, ShopBookCard } from "./book-card.tsx";
import { CataloguePages } from "./catalogue-pages.tsx";
import { PAGE_SIZE } from "./catalogue-query.ts";
import { type CatalogueSlice, useMoreBooks } from "./use-more-books.ts";

/** Lazy, because only a page without results needs it. */
const NoBooksDrawing = lazy(async () => {
  const { NoBooksDrawing } = await import("#app/components/drawings/no-books-drawing.tsx");
  return { default: NoBooksDrawing };
});

type CatalogueResultsProps = {
  slice: CatalogueSlice;
  total: number;
  /** Null on a page that is reached by cursor. */
  page: number | null;
};

/** The count, the cards and the links to other pages, or the empty state. */
export function CatalogueResults({ slice, total, page }: CatalogueResultsProps) {
  const more = useMoreBooks(slice);
  return (
    <>
      <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-3 gap-y-2 pt-2 pb-4">
        <p role="status" className="figures font-semibold">
          {`${total} Book(s) Found`}
        </p>
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
        <NothingFound total={total} />
      )}
      {more.failure && (
        <p role="alert" className="text-center text-clay">
          {failedToLoadBooks(more.failure)}
        </p>
      )}
      <CataloguePages
        neighbours={{ previous: slice.neighbours.previous, next: more.next }}
        summary={pageSummary(page, more.added, total)}
        more={more}
      />
    </>
  );
}

function pageSummary(page: number | null, added: number, total: number): string {
  if (page === null) return "";
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  return added ? `Pages ${page} to ${page + added} of ${pages}` : `Page ${page} of ${pages}`;
}

function NothingFound({ total }: { total: number }) {
  const pastTheEnd = total > 0;
  return (
    <div className="flex flex-col items-start gap-5 border-t border-line py-14">
      <div className="-ml-2 h-32">
        <Suspense fallback={null}>
          <NoBooksDrawing className="h-32 w-auto" />
        </Suspense>
      </div>
      <p className="text-20">
        {pastTheEnd ? "There are no books on this page." : "No books found matching your search criteria."}
      </p>
      <Link to="/shop" className={buttonClass({ variant: "secondary" })}>
        Clear Filters
      </Link>
    </div>
  );
}
