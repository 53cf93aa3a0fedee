import { Skeleton } from "#app/components/skeleton.tsx";
import { listPublisherNames } from "#app/features/publishers/publisher.queries.ts";
import { allPublisherNames } from "#app/features/publishers/publisher.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { listPublisherStatistics } from "./book.admin-queries.ts";

/** Books and copies per publisher, in one query shared by all components that use them. */
function usePublisherStatistics() {
  return useAdminQuery(["books", "publishers"], listPublisherStatistics);
}

/** Publishers to choose from: the shop's own in its order, and all together with those in the catalogue, sorted. */
export type PublisherNames = { own: readonly string[]; all: readonly string[] };

export function usePublisherNames(): PublisherNames {
  const { data: own = [] } = useAdminQuery(["publishers", "names"], listPublisherNames);
  const { data: statistics = [] } = usePublisherStatistics();
  // 'Unknown' groups books without a publisher and cannot be chosen.
  const inCatalogue = statistics.map(({ publisher }) => publisher).filter((name) => name !== "Unknown");
  return { own, all: allPublisherNames(own, inCatalogue) };
}

/** Titles and copies of each publisher, most titles first. */
export function PublisherStatistics() {
  const statistics = usePublisherStatistics();
  const failure = readFailure("publisher statistics", statistics);
  return (
    <Panel title="Publisher Statistics">
      {failure && <RetryNote {...failure} />}
      {statistics.isPending && <Skeleton className="h-40" />}
      {statistics.data?.length === 0 && <p className="text-muted">No books found</p>}
      {statistics.data && statistics.data.length > 0 && (
        <ul
          // On a phone, one row that scrolls sideways.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, and must do so by keyboard too
          tabIndex={0}
          aria-label="Books and stock by publisher"
          className="grid max-h-48 gap-x-8 overflow-y-auto max-sm:flex max-sm:overflow-x-auto sm:grid-cols-2 @4xl:grid-cols-3"
        >
          {statistics.data.map(({ publisher, books, stock }) => (
            <li key={publisher} className="border-t border-line py-1.5 max-sm:w-44 max-sm:shrink-0">
              <span className="block font-semibold wrap-anywhere max-sm:line-clamp-2">{publisher}</span>
              <span className="figures block text-13 text-muted">
                {countOf(books, "book")} · {stock.toLocaleString("en-GB")} in stock
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
