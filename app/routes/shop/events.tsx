import { data, useLocation } from "react-router";
import { FailureBlock } from "#app/components/failure-block.tsx";
import { PageIntro } from "#app/components/page-intro.tsx";
import { loadedOrLost, loadOrFailure } from "#app/features/books/load-or-failure.ts";
import { EventDetails } from "#app/features/events/event-details.tsx";
import { eventJsonLd } from "#app/features/events/event-json-ld.ts";
import { eventPath } from "#app/features/events/event-kinds.ts";
import { EventList } from "#app/features/events/event-list.tsx";
import { eventPageView, eventView, previewOf } from "#app/features/events/event-view.ts";
import { findEvent, listEvents } from "#app/features/events/events.queries.ts";
import { LazyNotifyForm } from "#app/features/events/lazy-forms.tsx";
import { NoEvents } from "#app/features/events/no-events.tsx";
import { notFoundHead, pageHead } from "#app/features/site/head.ts";
import { LazyNotFound } from "#app/features/site/lazy-not-found.tsx";
import { events } from "#app/features/site/navigation.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import { isSlug } from "#shared/text/is-slug.ts";
import type { Route } from "./+types/events.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData, params }) => {
  const page = loaderData?.loaded?.page;
  if (page) return [...pageHead(matches, page.head), { "script:ld+json": page.jsonLd }];
  if (params.slug !== undefined) return notFoundHead(loaderData?.failure ? "Event" : undefined);
  return pageHead(matches, {
    title: events.label,
    description: `Events and trainings by ${currentShop().name}: what is coming up, and how to register.`,
    path: events.to,
  });
};

/** Upcoming events, or one event by its slug. */
export async function loader({ params: { slug }, context }: Route.LoaderArgs) {
  const { backend, siteUrl } = context.get(pageContext);
  const result = await loadOrFailure(async () => {
    if (slug === undefined) return { listed: (await listEvents(backend)).map(eventView), page: null };
    const event = isSlug(slug) ? await findEvent(backend, slug) : null;
    if (!event) return { listed: [], page: null };
    const view = eventPageView(event, Date.now());
    const path = eventPath(event.slug);
    const imageUrl = siteUrl + previewOf(event);
    const description = `${view.kind}: ${view.when}, ${view.place}. ${view.price}.`;
    const jsonLd = eventJsonLd(event, { siteUrl, url: siteUrl + path, imageUrl });
    return {
      listed: [],
      page: { event: view, jsonLd, head: { title: event.title, description, path, imageUrl } },
    };
  });
  const isMissing = slug !== undefined && result.data.loaded?.page === null;
  return isMissing ? data({ loaded: null, failure: null }, { status: 404 }) : result;
}

export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  loadedOrLost({ request, serverLoader });

export default function Events({ loaderData: { loaded, failure } }: Route.ComponentProps) {
  const { pathname } = useLocation();
  if (failure !== null)
    return (
      <>
        <PageIntro title={events.label} />
        <div className="page pt-10 pb-24">
          <FailureBlock text={`Failed to load events: ${failure}`} tryAgainHref={pathname} />
        </div>
      </>
    );
  if (!loaded) return <LazyNotFound />;
  // Input for one event must not carry over to another.
  if (loaded.page) return <EventDetails key={loaded.page.event.slug} event={loaded.page.event} />;
  const { listed } = loaded;
  return (
    <>
      <PageIntro title={events.label}>
        <p>Upcoming events and trainings appear here.</p>
      </PageIntro>
      <section aria-label="Upcoming events" className="page pt-10 pb-20 sm:pt-14 sm:pb-28">
        {listed.length === 0 ? <NoEvents /> : <EventList events={listed} />}
        {listed.length > 0 && (
          <section aria-labelledby="notify" className="measure pt-12">
            <h2 id="notify" className="mb-4 text-25">
              Get notified of new events
            </h2>
            <LazyNotifyForm />
          </section>
        )}
      </section>
    </>
  );
}
