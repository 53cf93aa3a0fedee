import { Link, useLocation } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { PageIntro } from "#app/components/page-intro.tsx";
import { LoadFailure } from "#app/features/books/load-failure.tsx";
import { loadedOrLost, loadOrFailure } from "#app/features/books/load-or-failure.ts";
import { gridPublishers } from "#app/features/publishers/grid-publishers.ts";
import { manyPublishers } from "#app/features/publishers/many-publishers.ts";
import { listPublishers } from "#app/features/publishers/publisher.queries.ts";
import { PublisherGrid } from "#app/features/publishers/publisher-grid.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { shopBooks } from "#app/features/site/navigation.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import type { Route } from "./+types/products.ts";

/** How many publishers the page's description names. */
const NAMED = 6;

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const names = (loaderData?.loaded ?? []).slice(0, NAMED).map(({ name }) => name);
  const description = names.length
    ? `${new Intl.ListFormat("en-GB").format(names)}: the books that we sell of each of them.`
    : "The publishers whose books we sell.";
  return pageHead(matches, { title: "Our Publishers", description, path: "/products" });
};

export function loader({ context }: Route.LoaderArgs) {
  const { backend, backendUrl, cached } = context.get(pageContext);
  return loadOrFailure(async () =>
    gridPublishers(await cached("publishers", () => listPublishers(backend)), backendUrl),
  );
}

export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  loadedOrLost({ request, serverLoader });

export default function Products({ loaderData: { loaded, failure } }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const count = loaded?.length ?? 0;
  return (
    <>
      <PageIntro title="Our Publishers">
        {count > 0 && <p>{manyPublishers(count)}, each with a page of its own.</p>}
      </PageIntro>
      <div className="page pt-10 pb-20 sm:pb-28">
        {!loaded ? (
          <LoadFailure message={failure} tryAgainHref={pathname} />
        ) : count > 0 ? (
          <PublisherGrid publishers={loaded} level={2} />
        ) : (
          <>
            <p className="mb-5 text-20">All our books are in the shop.</p>
            <Link to={shopBooks.to} className={buttonClass()}>
              {shopBooks.label}
            </Link>
          </>
        )}
      </div>
    </>
  );
}
