import { data, useLocation } from "react-router";
import { LoadFailure } from "#app/features/books/load-failure.tsx";
import { loadedOrLost, loadOrFailure } from "#app/features/books/load-or-failure.ts";
import { OrderLinks } from "#app/features/publisher-pages/order-links.tsx";
import { PublisherBooks } from "#app/features/publisher-pages/publisher-books.tsx";
import { PublisherIntro } from "#app/features/publisher-pages/publisher-intro.tsx";
import { readPublisherPage } from "#app/features/publisher-pages/publisher-page.queries.ts";
import { PublisherSections } from "#app/features/publisher-pages/publisher-sections.tsx";
import { TitleList } from "#app/features/publisher-pages/title-list.tsx";
import { publisherPagePath } from "#app/features/publishers/publisher.ts";
import { notFoundHead, pageHead } from "#app/features/site/head.ts";
import { LazyNotFound } from "#app/features/site/lazy-not-found.tsx";
import { pageContext } from "#app/lib/pages/request-context.ts";
import { isSlug } from "#shared/text/is-slug.ts";
import type { Route } from "./+types/publisher.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  if (!loaderData?.loaded) return notFoundHead(loaderData?.failure ? "Our Publishers" : undefined);
  const { name, slug, description } = loaderData.loaded.publisher;
  return pageHead(matches, {
    title: `${name} books`,
    description: description ?? `Books by ${name}.`,
    path: publisherPagePath(slug),
  });
};

export async function loader({ params, context }: Route.LoaderArgs) {
  const { backend, backendUrl } = context.get(pageContext);
  const result = await loadOrFailure(async () =>
    isSlug(params.publisher) ? readPublisherPage(backend, params.publisher, backendUrl) : null,
  );
  const { loaded, failure } = result.data;
  return loaded || failure !== null ? result : data({ loaded: null, failure: null }, { status: 404 });
}

export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  loadedOrLost({ request, serverLoader });

export default function PublisherPage({ loaderData: { loaded, failure } }: Route.ComponentProps) {
  const { pathname } = useLocation();
  if (failure !== null)
    return (
      <div className="page pt-12 pb-24">
        <h1 className="mb-6 text-32 sm:text-42">Our Publishers</h1>
        <LoadFailure message={failure} tryAgainHref={pathname} />
      </div>
    );
  if (!loaded) return <LazyNotFound />;
  const { publisher } = loaded;
  return (
    <>
      <PublisherIntro publisher={publisher} />
      <div className="page pt-12 pb-14">
        {"titles" in loaded ? (
          <TitleList publisher={publisher.name} titles={loaded.titles} />
        ) : "sections" in loaded ? (
          <PublisherSections sections={loaded.sections} />
        ) : (
          <PublisherBooks publisher={publisher.name} books={loaded.books} />
        )}
      </div>
      {publisher.has_order_links && <OrderLinks />}
    </>
  );
}
