import { buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Fact } from "#app/components/fact.tsx";
import { PageIntro } from "#app/components/page-intro.tsx";
import { events } from "#app/features/site/navigation.ts";
import { eventPath } from "./event-kinds.ts";
import { EventPicture } from "./event-picture.tsx";
import type { EventPageView } from "./event-view.ts";
import { LazyRegisterForm } from "./lazy-forms.tsx";

/** An event's own page. */
export function EventDetails({ event }: { event: EventPageView }) {
  const { closed } = event;
  return (
    <>
      <PageIntro title={event.title} parent={events}>
        <p>{event.kind}</p>
      </PageIntro>
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-10 pt-8 pb-20 sm:pt-10 sm:pb-28 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]">
        <div>
          {closed && (
            <div className="mb-6">
              <Callout tone="warning">
                {closed === "cancelled" ? "This event has been cancelled." : "This event is over."}
              </Callout>
            </div>
          )}
          <dl className="figures grid gap-4 border-y border-line py-5">
            <Fact name="When" className="">
              {event.when} (Ghana time)
            </Fact>
            <Fact name="Where" className="wrap-anywhere">
              {event.place}
            </Fact>
            <Fact name="Price" className="">
              {event.price}
            </Fact>
            {!closed && (
              <Fact name="Places" className="">
                {event.places}
              </Fact>
            )}
          </dl>
          {!closed && (
            // Not a page: the browser saves the file.
            <a
              href={`${eventPath(event.slug)}/event.ics`}
              download
              className={buttonClass({ variant: "secondary", className: "mt-5" })}
            >
              Add to Calendar
            </a>
          )}
          <div className="measure mt-6 grid gap-4 wrap-anywhere">
            {event.paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
          {!closed && (
            <section aria-labelledby="register" className="mt-10 border-t border-line pt-8">
              <h2 id="register" className="mb-5 text-25">
                {event.isFull ? "Join the waiting list" : "Register"}
              </h2>
              <LazyRegisterForm slug={event.slug} isFull={event.isFull} />
            </section>
          )}
        </div>
        <div className="max-lg:order-first">
          <EventPicture
            event={event}
            sizes="(min-width: 64rem) 30rem, 100vw"
            className="h-auto w-full rounded-card max-lg:max-h-64 max-lg:object-cover"
          />
        </div>
      </div>
    </>
  );
}
