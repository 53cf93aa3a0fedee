import { Link } from "react-router";
import { EVENT_KINDS } from "#app/features/events/event-kinds.ts";
import { useListState } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { DataTable } from "#app/office/components/data-table.tsx";
import { ListPages } from "#app/office/components/list-pages.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { formatCedis } from "#shared/text/money.ts";
import { type EventRow, listEvents } from "./event.admin-queries.ts";
import { EventStateBadge, eventAdminPath, periodText, registeredText } from "./event-texts.tsx";

const SORT_KEYS = ["starts_at"] as const;
const latestFirst = { key: "starts_at", descending: true } as const;

const columns: readonly DataColumn<EventRow>[] = [
  {
    id: "title",
    header: "Event",
    card: "title",
    cell: (event) => (
      <>
        <Link
          to={eventAdminPath(event.id)}
          className="-my-2.5 inline-block py-2.5 font-semibold wrap-anywhere text-green underline underline-offset-4"
        >
          {event.title}
        </Link>
        <span className="block text-13 font-normal text-muted">{EVENT_KINDS[event.kind]}</span>
      </>
    ),
  },
  { id: "starts_at", header: "When", className: "figures", cell: periodText },
  {
    id: "place",
    header: "Where",
    cell: ({ is_online, place }) => (
      <span className="wrap-anywhere">{is_online ? `Online: ${place}` : place}</span>
    ),
  },
  { id: "state", header: "Status", cell: (event) => <EventStateBadge event={event} /> },
  { id: "registered", header: "Registered", className: "figures", align: "right", cell: registeredText },
  {
    id: "price",
    header: "Price",
    className: "figures whitespace-nowrap",
    align: "right",
    cell: ({ price }) => (price === 0 ? "Free" : formatCedis(price)),
  },
];

/** All events, the latest first. */
export function EventTable() {
  const state = useListState(SORT_KEYS, latestFirst);
  const events = useAdminQuery(["events", "list", state.page], (client) => listEvents(client, state.page), {
    keepPrevious: true,
    refreshing: true,
  });
  return (
    <>
      <DataTable
        label="Events"
        toolbar={null}
        columns={columns}
        rows={events.data?.rows}
        rowId={({ id }) => id}
        empty="No events yet. Add one, then publish it."
        failure={readFailure("events", events)}
        stale={events.isPlaceholderData}
      />
      <ListPages state={state} total={events.data?.total} one="event" many="events" />
    </>
  );
}
