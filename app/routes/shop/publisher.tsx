import { data, isRouteErrorResponse } from "react-router";
import { builtInTitles } from "#app/features/publishers/built-in-titles.ts";
import { findPublisherBySlug, publisherPagePath } from "#app/features/publishers/publisher.ts";
import { publisherProfiles } from "#app/features/publishers/publisher-profiles.ts";
import { CgpExtras } from "#app/features/site/cgp-extras.tsx";
import { notFoundHead, pageHead } from "#app/features/site/head.ts";
import { NotFoundScreen } from "#app/features/site/not-found-screen.tsx";
import { PublisherIntro } from "#app/features/site/publisher-intro.tsx";
import { TitleList } from "#app/features/site/title-list.tsx";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/publisher.ts";

/** The publishers with a fixed list: all but Cambridge, whose page reads the catalogue. */
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

export function loader({ params }: Route.LoaderArgs) {
  if (!findListed(params.publisher)) throw data(null, { status: 404 });
  return null;
}

export default function PublisherPage({ params }: Route.ComponentProps) {
  const publisher = findListed(params.publisher);
  if (!publisher) return <NotFoundScreen />;
  return (
    <>
      <PublisherIntro publisher={publisher}>
        {publisher.slug === "schofield" && (
          <p className="mt-6 border-l-3 border-gold pl-4 font-display text-20">
            We supply {shop.figures.schofieldResources} {publisher.name} resources.
          </p>
        )}
      </PublisherIntro>
      <div className="page pt-12 pb-14">
        <TitleList publisher={publisher.name} titles={builtInTitles[publisher.name]} />
      </div>
      {publisher.slug === "cgp" && <CgpExtras />}
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />;
  throw error;
}
