import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Fact } from "#app/components/fact.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { EVENT_KINDS, eventPath } from "#app/features/events/event-kinds.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { formatCedis } from "#shared/text/money.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { type EventRow, findEvent } from "./event.admin-queries.ts";
import { EventActions } from "./event-actions.tsx";
import { EventStateBadge, periodText, registeredText } from "./event-texts.tsx";
import { RegistrationTable } from "./registration-table.tsx";

/** One event with its details, actions and registrations. */
export function EventPage({ id }: { id: string }) {
  const event = useAdminQuery(["events", "one", id], (client) => findEvent(client, id), {
    refreshing: true,
    enabled: isUuid(id),
  });
  const failure = readFailure("event", event);
  const isMissing = event.data === null || !isUuid(id);
  return (
    <AdminPage
      title={<span className="wrap-anywhere">{event.data?.title ?? "Event"}</span>}
      lead={event.data ? EVENT_KINDS[event.data.kind] : undefined}
      actions={
        <Link to="/admin/events" className={buttonClass({ variant: "quiet", size: "small" })}>
          All events
        </Link>
      }
    >
      {failure && <RetryNote {...failure} />}
      {isMissing && <p>This event doesn't exist.</p>}
      {!failure && !isMissing && event.data === undefined && <Skeleton className="h-96" />}
      {event.data && <OneEvent event={event.data} />}
    </AdminPage>
  );
}

function OneEvent({ event }: { event: EventRow }) {
  return (
    <div className="grid gap-5">
      <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 @3xl:flex @3xl:flex-wrap @3xl:gap-x-10">
        <Fact name="Status" className="">
          <EventStateBadge event={event} />
        </Fact>
        <Fact name="When" className="">
          {periodText(event)}
        </Fact>
        <Fact name={event.is_online ? "Online" : "Where"} className="wrap-anywhere">
          {event.place}
        </Fact>
        <Fact name="Registered" className="font-semibold">
          {registeredText(event)}
        </Fact>
        <Fact name="Price" className="">
          {event.price === 0 ? "Free" : formatCedis(event.price)}
        </Fact>
        {event.state !== "draft" && (
          <Fact name="Page" className="wrap-anywhere">
            <a href={eventPath(event.slug)} className="text-green underline underline-offset-4">
              {eventPath(event.slug)}
            </a>
          </Fact>
        )}
      </dl>
      <EventActions event={event} />
      <RegistrationTable event={event} />
    </div>
  );
}
