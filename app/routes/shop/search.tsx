import { useLocation } from "react-router";
import { NoBooksDrawing } from "#app/components/drawings/no-books-drawing.tsx";
import { LoadFailure } from "#app/features/books/load-failure.tsx";
import { loadedOrLost, loadOrFailure } from "#app/features/books/load-or-failure.ts";
import { NearSection } from "#app/features/catalogue/near-section.tsx";
import { FOUND_LITTLE } from "#app/features/catalogue/unmet-search.ts";
import { MatchingBooks } from "#app/features/search/matching-books.tsx";
import { MatchingFacets } from "#app/features/search/matching-facets.tsx";
import { SearchBox } from "#app/features/search/search-box.tsx";
import { readSearchQuery, TAB_LABELS } from "#app/features/search/search-query.ts";
import { findEverything } from "#app/features/search/search-results.ts";
import { SearchTabs } from "#app/features/search/search-tabs.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { searchPath } from "#app/features/site/navigation.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import type { Route } from "./+types/search.ts";

export const meta: Route.MetaFunction = ({ matches, location }) => {
  const { q } = readSearchQuery(new URLSearchParams(location.search));
  return pageHead(matches, {
    title: q ? `Search: ${q}` : "Search",
    description: "Search all books, publishers, courses and subjects in the shop.",
    path: "/search",
    index: false,
  });
};

export function loader({ request, context }: Route.LoaderArgs) {
  const query = readSearchQuery(new URL(request.url).searchParams, currentShop().searchOrder);
  const { backend, noteUnmet } = context.get(pageContext);
  return loadOrFailure(async () => {
    const results = query.q ? await findEverything(backend, query) : null;
    if (results && results.counts.books < FOUND_LITTLE) noteUnmet(query.q, results.counts.books);
    return { query, results };
  });
}

export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  loadedOrLost({ request, serverLoader });

export default function Search({ loaderData: { loaded, failure } }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  const { q, sort } = readSearchQuery(new URLSearchParams(search));
  return (
    <div className="page pt-10 pb-20 sm:pt-16">
      <h1 className="text-32 wrap-anywhere sm:text-42">{q ? <>Results for “{q}”</> : "Search"}</h1>
      <SearchBox q={q} sort={sort} />
      <div className="mt-8">
        {loaded ? (
          <Results query={loaded.query} results={loaded.results} />
        ) : (
          <LoadFailure message={failure} tryAgainHref={pathname + search} />
        )}
      </div>
    </div>
  );
}

type Loaded = NonNullable<Route.ComponentProps["loaderData"]["loaded"]>;

function Results({ query, results }: Loaded) {
  if (!results) {
    return <p className="text-muted">Type a title, publisher, course, subject or ISBN.</p>;
  }
  const { tab, q } = query;
  const { books, publishers, courses, subjects, counts, near } = results;
  const shows = (each: typeof tab) => tab === "all" || tab === each;
  return (
    <>
      <SearchTabs query={query} counts={counts} />
      {counts[tab] === 0 && (
        <div className={near ? "py-6" : "py-14"}>
          {!near && <NoBooksDrawing className="mb-5 -ml-2 h-32 w-auto" />}
          <p className="text-20">No results found</p>
          {!near && <p className="mt-1 text-muted">Check the spelling, or try fewer words.</p>}
        </div>
      )}
      {shows("books") && <MatchingBooks books={books} total={counts.books} query={query} />}
      {shows("publishers") && (
        <MatchingFacets title={TAB_LABELS.publishers} filter="publisher" found={publishers} />
      )}
      {shows("courses") && <MatchingFacets title={TAB_LABELS.courses} filter="course" found={courses} />}
      {shows("subjects") && <MatchingFacets title={TAB_LABELS.subjects} filter="subject" found={subjects} />}
      {near && (
        <NearSection q={q} near={near} searchHref={(meant) => searchPath(meant, { sort: query.sort })} />
      )}
    </>
  );
}
