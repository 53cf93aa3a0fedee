import { data, useLocation } from "react-router";
import { LoadFailure } from "#app/features/books/load-failure.tsx";
import { loadedOrLost, loadOrFailure } from "#app/features/books/load-or-failure.ts";
import { listCatalogueBooks, shopHasDemo } from "#app/features/catalogue/catalogue.queries.ts";
import { readCatalogueQuery } from "#app/features/catalogue/catalogue-query.ts";
import { CgpExtras } from "#app/features/publisher-pages/cgp-extras.tsx";
import { PublisherBooks } from "#app/features/publisher-pages/publisher-books.tsx";
import { PublisherIntro } from "#app/features/publisher-pages/publisher-intro.tsx";
import { TitleList } from "#app/features/publisher-pages/title-list.tsx";
import { builtInTitles } from "#app/features/publishers/built-in-titles.ts";
import { findPublisherBySlug, publisherPagePath } from "#app/features/publishers/publisher.ts";
import { publisherProfiles } from "#app/features/publishers/publisher-profiles.ts";
import { notFoundHead, pageHead } from "#app/features/site/head.ts";
import { LazyNotFound } from "#app/features/site/lazy-not-found.tsx";
import { pageContext } from "#app/lib/request-context.ts";
import { currentShop } from "#app/owner/current-shop.ts";
import type { Route } from "./+types/publisher.ts";

/** Publishers with a fixed list: all but Cambridge, whose page reads the catalogue. */
function findListed(slug: string) {
  const publisher = findPublisherBySlug(slug);
  return publisher && publisher.name !== "Cambridge University Press" ? publisher : null;
}

export const meta: Route.MetaFunction = ({ matches, params }) => {
  const publisher = findListed(params.publisher);
  if (!publisher) return notFoundHead();
  const { name, slug } = publisher;
  const { description } = publisherProfiles[slug];
  return pageHead(matches, { title: `${name} books`, description, path: publisherPagePath(slug) });
};

/** The fixed list while the demo books are on sale; after that the publisher's books in the catalogue. */
export function loader({ params, context }: Route.LoaderArgs) {
  const publisher = findListed(params.publisher);
  if (!publisher) return data({ loaded: null, failure: "" }, { status: 404 });
  const { backend, cached } = context.get(pageContext);
  return loadOrFailure(async () => {
    if (await cached("demo", () => shopHasDemo(backend)))
      return { titles: builtInTitles[publisher.name], books: null };
    const query = readCatalogueQuery(new URLSearchParams({ publisher: publisher.name }));
    return { titles: null, books: await listCatalogueBooks(backend, query) };
  });
}

export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  loadedOrLost({ request, serverLoader });

export default function PublisherPage({ params, loaderData }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const publisher = findListed(params.publisher);
  if (!publisher) return <LazyNotFound />;
  const { loaded, failure } = loaderData;
  return (
    <>
      <PublisherIntro publisher={publisher}>
        {publisher.slug === "schofield" && currentShop().schofieldResources && (
          <p className="mt-6 border-l-3 border-gold pl-4 font-display text-20">
            We supply {currentShop().schofieldResources} {publisher.name} resources.
          </p>
        )}
      </PublisherIntro>
      <div className="page pt-12 pb-14">
        {!loaded ? (
          <LoadFailure message={failure} tryAgainHref={pathname} />
        ) : loaded.titles ? (
          <TitleList publisher={publisher.name} titles={loaded.titles} />
        ) : (
          <PublisherBooks publisher={publisher.name} books={loaded.books} />
        )}
      </div>
      {publisher.slug === "cgp" && <CgpExtras />}
    </>
  );
}
