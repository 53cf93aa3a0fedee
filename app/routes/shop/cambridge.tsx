import { useLocation } from "react-router";
import { LoadFailure } from "#app/features/books/load-failure.tsx";
import { loadedOrLost, loadOrFailure } from "#app/features/books/load-or-failure.ts";
import { listCambridgeSections } from "#app/features/publisher-pages/cambridge.queries.ts";
import { CambridgeSections } from "#app/features/publisher-pages/cambridge-sections.tsx";
import { PublisherIntro } from "#app/features/publisher-pages/publisher-intro.tsx";
import { publisherPagePath, publishers } from "#app/features/publishers/publisher.ts";
import { publisherProfiles } from "#app/features/publishers/publisher-profiles.ts";
import { pageHead } from "#app/features/site/head.ts";
import { pageContext } from "#app/lib/request-context.ts";
import type { Route } from "./+types/cambridge.ts";

const [cambridge] = publishers;

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: `${cambridge.name} books`,
    description: publisherProfiles[cambridge.slug].description,
    path: publisherPagePath(cambridge.slug),
  });

export function loader({ context }: Route.LoaderArgs) {
  const { backend } = context.get(pageContext);
  return loadOrFailure(() => listCambridgeSections(backend));
}

export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  loadedOrLost({ request, serverLoader });

export default function Cambridge({ loaderData: { loaded, failure } }: Route.ComponentProps) {
  const { pathname } = useLocation();
  return (
    <>
      <PublisherIntro publisher={cambridge} />
      <div className="page pt-12 pb-14">
        {loaded ? (
          <CambridgeSections sections={loaded} />
        ) : (
          <LoadFailure message={failure} tryAgainHref={pathname} />
        )}
      </div>
    </>
  );
}
