import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { NoEventsDrawing } from "#app/components/drawings/no-events-drawing.tsx";
import { PageIntro } from "#app/components/page-intro.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { contact, events, shopBooks } from "#app/features/site/navigation.ts";
import { currentShop } from "#app/owner/current-shop.ts";
import type { Route } from "./+types/events.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: events.label,
    description: `Teacher training, book exhibitions and school visits by ${currentShop().name} in Ghana.`,
    path: events.to,
  });

export default function Events() {
  return (
    <>
      <PageIntro title={events.label}>
        <p>Training for teachers, book exhibitions and readings in schools. Upcoming events appear here.</p>
      </PageIntro>
      <section aria-labelledby="none" className="page pt-10 pb-20 sm:pt-14 sm:pb-28">
        <div className="border-y border-line py-12">
          <NoEventsDrawing className="mb-6 -ml-2 h-36 w-auto" />
          <h2 id="none" className="text-25">
            Sorry, there are no events yet!
          </h2>
          <p className="measure mt-2 text-muted">
            Leave your name and number and we'll let you know when a date is set.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <Link to={`${contact.to}?about=events`} className={buttonClass()}>
              Get Notified
            </Link>
            <Link to={shopBooks.to} className={buttonClass({ variant: "secondary" })}>
              Browse Books Instead
            </Link>
          </div>
        </div>
      </section>
    </>
  );
}
