import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Icon } from "#app/components/icon.tsx";
import {
  type CatalogueCursor,
  type CatalogueQuery,
  catalogueHref,
  LAST_NUMBERED_PAGE,
  orderOf,
  PAGE_SIZE,
  withoutPage,
} from "./catalogue-query.ts";

export type Neighbours = {
  previous: string | null;
  next: string | null;
  /** If the sort order ends before the last book: the same search by title, which continues to the end. */
  byTitle: string | null;
};

/**
 * URLs of the previous and next pages. Up to page 100 they have a page number; beyond that the last (or first) book
 * shown as a cursor, so that a deep page costs the database no more than the first. With any other sorting, the pages end there.
 */
export function neighbourPages(query: CatalogueQuery, books: CatalogueCursor[], total: number): Neighbours {
  const base = withoutPage(query);
  const first = books[0];
  const last = books.at(-1);
  const key = ({ id, title }: CatalogueCursor) => ({ id, title });
  if (query.after || query.before) {
    const more = books.length === PAGE_SIZE;
    return {
      previous: first && (query.after || more) ? catalogueHref({ ...base, before: key(first) }) : null,
      next: last && (query.before || more) ? catalogueHref({ ...base, after: key(last) }) : null,
      byTitle: null,
    };
  }
  const { page, usual } = query;
  const byTitle = orderOf(query) === "title";
  const pages = Math.ceil(total / PAGE_SIZE);
  const hasNext = page < pages;
  const isLast = page >= LAST_NUMBERED_PAGE;
  return {
    // From a page after the end, back to the last one.
    previous: page > 1 ? catalogueHref({ ...base, page: Math.min(page - 1, pages) }) : null,
    next: !hasNext
      ? null
      : !isLast
        ? catalogueHref({ ...base, page: page + 1 })
        : last && byTitle
          ? catalogueHref({ ...base, after: key(last) })
          : null,
    byTitle:
      hasNext && isLast && !byTitle
        ? catalogueHref({ ...base, sort: usual === "title" ? "" : "title" })
        : null,
  };
}

type CataloguePagesProps = {
  neighbours: Omit<Neighbours, "byTitle">;
  summary: string;
  more: { busy: boolean; failure: string | null; load: () => void };
};

/** Real links to the other pages; with JavaScript the next link adds that page below, or tries again after a failure. */
export function CataloguePages({ neighbours, summary, more }: CataloguePagesProps) {
  const { previous, next } = neighbours;
  if (!previous && !next) return null;
  return (
    <nav aria-label="Pages" className="mt-2 mb-16 flex flex-wrap items-center justify-center gap-4">
      {previous && (
        <Link to={previous} rel="prev" className={buttonClass({ variant: "quiet" })}>
          <Icon name="chevron-left" />
          Previous page
        </Link>
      )}
      {/* Announces added pages to screen readers. */}
      <span role="status" className="figures text-15 text-muted">
        {summary}
      </span>
      {next && (
        <Link
          to={next}
          rel="next"
          className={buttonClass({ variant: "secondary" })}
          aria-busy={more.busy || undefined}
          onClick={(event) => {
            // With a modifier key the link opens in a new tab or window.
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            if (!more.busy) more.load();
          }}
        >
          {more.busy ? "Loading books..." : more.failure === null ? "More books" : "Try Again"}
          {more.failure === null && <Icon name="chevron-right" />}
        </Link>
      )}
    </nav>
  );
}
