import { useState } from "react";
import { data, useLocation, useNavigation } from "react-router";
import { LoadFailure } from "#app/features/books/load-failure.tsx";
import { loadedOrLost, loadOrFailure } from "#app/features/books/load-or-failure.ts";
import {
  type CataloguePage,
  findCataloguePage,
  listBookChoices,
  listBookFacets,
} from "#app/features/catalogue/catalogue.queries.ts";
import { CatalogueFilters, filterChoices } from "#app/features/catalogue/catalogue-filters.tsx";
import { neighbourPages } from "#app/features/catalogue/catalogue-pages.tsx";
import {
  type CatalogueQuery,
  catalogueHref,
  indexedHref,
  orderOf,
  PAGE_SIZE,
  readCatalogueQuery,
  withoutPage,
} from "#app/features/catalogue/catalogue-query.ts";
import { CatalogueResults } from "#app/features/catalogue/catalogue-results.tsx";
import { moreFilters, sorting } from "#app/features/catalogue/more-filters.ts";
import { nearResult } from "#app/features/catalogue/near-result.ts";
import { NearSection } from "#app/features/catalogue/near-section.tsx";
import { noteIfUnmet } from "#app/features/catalogue/unmet-search.ts";
import { listPublishers } from "#app/features/publishers/publisher.queries.ts";
import { pageHead } from "#app/features/site/head.ts";
import { shopBooks } from "#app/features/site/navigation.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import { SharedPart } from "#app/lib/pages/shared-parts.ts";
import type { Route } from "./+types/shop.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const loaded = loaderData?.loaded;
  return pageHead(matches, {
    title: shopBooks.label,
    description: `All our books and stationery in one catalogue. Search by title, publisher, course, subject or ISBN. ${currentShop().tagline}.`,
    path: loaded ? indexedHref(loaded.query) : shopBooks.to,
    index: !(loaded && isPastEnd(loaded)),
  });
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = readCatalogueQuery(new URL(request.url).searchParams, currentShop().searchOrder);
  const { backend, cached, noteUnmet } = context.get(pageContext);
  const result = await loadOrFailure(async () => {
    // Where the count is not known yet, one call finds both.
    let page: Promise<CataloguePage> | undefined;
    const search = catalogueHref({ ...withoutPage(query), sort: "" });
    const counted = cached(`count ${search}`, async () => {
      page = findCataloguePage(backend, query, { total: true });
      return (await page).total ?? 0;
    });
    page ??= findCataloguePage(backend, query);
    const [{ books }, total, facets, publishers, found] = await Promise.all([
      page,
      counted,
      cached("facets", () => listBookFacets(backend)),
      cached("publishers", () => listPublishers(backend)),
      cached(`choices ${search}`, () => listBookChoices(backend, query)),
    ]);
    const filters = {
      choices: filterChoices(facets, query, publishers),
      more: moreFilters(found, query),
      sorting: sorting(query),
    };
    noteIfUnmet(query, total, noteUnmet);
    const near = await nearResult(backend, query, total, PAGE_SIZE);
    return { query, books, total, filters, near, neighbours: neighbourPages(query, books, total) };
  });
  const { loaded } = result.data;
  return loaded && isPastEnd(loaded) ? data(result.data, { status: 404 }) : result;
}

/** A later page of a list that has fewer books, such as one that a search engine remembers. */
const isPastEnd = ({ query, books }: { query: CatalogueQuery; books: readonly unknown[] }) =>
  books.length === 0 && catalogueHref(query) !== catalogueHref(withoutPage(query));

export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  loadedOrLost({ request, serverLoader });

export default function Shop({ loaderData: { loaded, failure } }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  const busy = useNavigation().location?.pathname === "/shop";
  // When the next books cannot be loaded, the filters stay with what they last offered.
  const [filters, setFilters] = useState(loaded?.filters);
  if (loaded && loaded.filters !== filters) setFilters(loaded.filters);
  const query = loaded?.query ?? readCatalogueQuery(new URLSearchParams(search));
  const forms = filters && <CatalogueFilters query={query} {...filters} />;
  return (
    <div className="page pt-8 sm:pt-12">
      <h1 className="text-32 sm:text-42">Shop Books</h1>
      <p className="measure mt-2 mb-6 text-muted">{currentShop().tagline}.</p>
      {import.meta.env.SSR && filters ? (
        // The form of a search has its text, which few others search for.
        <SharedPart name={query.q ? null : JSON.stringify(["filters", withoutPage(query), filters])}>
          {forms}
        </SharedPart>
      ) : (
        forms
      )}
      <div aria-busy={busy || undefined} className={busy ? "opacity-60 transition-opacity" : undefined}>
        {loaded ? (
          <CatalogueResults
            slice={loaded}
            total={loaded.total}
            page={query.after || query.before ? null : query.page}
            isSorted={orderOf(query) !== "title"}
          >
            {loaded.near && (
              <NearSection
                q={query.q}
                near={loaded.near}
                searchHref={(q) => catalogueHref({ ...withoutPage(query), q })}
              />
            )}
          </CatalogueResults>
        ) : (
          <div className={filters && "pt-6"}>
            <LoadFailure message={failure} tryAgainHref={pathname + search} />
          </div>
        )}
      </div>
    </div>
  );
}
