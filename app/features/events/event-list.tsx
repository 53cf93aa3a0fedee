import { Link } from "react-router";
import { eventPath } from "./event-kinds.ts";
import { EventPicture } from "./event-picture.tsx";
import type { EventView } from "./event-view.ts";

/** Upcoming events, the next one first. */
export function EventList({ events }: { events: readonly EventView[] }) {
  return (
    <ul className="grid gap-8 border-t border-line pt-8">
      {events.map((event, index) => (
        <li
          key={event.slug}
          className="grid gap-x-8 gap-y-4 border-b border-line pb-8 sm:grid-cols-[18rem_minmax(0,1fr)]"
        >
          <div>
            <EventPicture
              event={event}
              sizes="(min-width: 40rem) 18rem, 100vw"
              priority={index === 0}
              className="h-auto w-full rounded-card"
            />
          </div>
          <div>
            <p className="text-15 font-semibold text-muted">{event.kind}</p>
            <h2 className="mt-1 text-25 wrap-anywhere">
              <Link
                to={eventPath(event.slug)}
                className="underline decoration-line-strong underline-offset-4 hover:decoration-green"
              >
                {event.title}
              </Link>
            </h2>
            <p className="figures mt-2">{event.when}</p>
            <p className="wrap-anywhere">{event.place}</p>
            <p className="figures mt-2 text-muted">
              {event.price}. {event.places}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
