import { useLocation, useNavigation } from "react-router";
import { LoadFailure } from "#app/features/books/load-failure.tsx";
import { loadOrFailure } from "#app/features/books/load-or-failure.ts";
import {
  countCatalogueBooks,
  listBookFacets,
  listCatalogueBooks,
} from "#app/features/catalogue/catalogue.queries.ts";
import { CatalogueFilters, filterChoices } from "#app/features/catalogue/catalogue-filters.tsx";
import { neighbourPages } from "#app/features/catalogue/catalogue-pages.tsx";
import { catalogueHref, readCatalogueQuery, withoutPlace } from "#app/features/catalogue/catalogue-query.ts";
import { CatalogueResults } from "#app/features/catalogue/catalogue-results.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { shopBooks } from "#app/features/site/navigation.ts";
import { pageContext } from "#app/lib/request-context.ts";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/shop.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: shopBooks.label,
    description: `Every book and all stationery in one catalogue, searched by title, subject, course, publisher or ISBN. ${shop.tagline}.`,
    path: shopBooks.to,
  });

export function loader({ request, context }: Route.LoaderArgs) {
  const query = readCatalogueQuery(new URL(request.url).searchParams);
  const { backend, remember } = context.get(pageContext);
  return loadOrFailure(async () => {
    const [books, total, facets] = await Promise.all([
      listCatalogueBooks(backend, query),
      remember(`count ${catalogueHref(withoutPlace(query))}`, () => countCatalogueBooks(backend, query)),
      remember("facets", () => listBookFacets(backend)),
    ]);
    const choices = filterChoices(facets, query);
    return { query, books, total, choices, neighbours: neighbourPages(query, books, total) };
  });
}

export default function Shop({ loaderData: { loaded, failure } }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  const busy = useNavigation().location?.pathname === "/shop";
  return (
    <div className="page pt-8 sm:pt-12">
      <h1 className="text-32 sm:text-42">Shop Books</h1>
      <p className="measure mt-2 mb-6 text-muted">{shop.tagline}.</p>
      {loaded ? (
        <>
          <CatalogueFilters query={loaded.query} choices={loaded.choices} />
          <div aria-busy={busy || undefined} className={busy ? "opacity-60 transition-opacity" : undefined}>
            <CatalogueResults
              slice={loaded}
              total={loaded.total}
              page={loaded.query.after || loaded.query.before ? null : loaded.query.page}
            />
          </div>
        </>
      ) : (
        <LoadFailure message={failure} tryAgainHref={pathname + search} />
      )}
    </div>
  );
}
