import { formatMinute } from "#shared/text/dates.ts";
import type { OrderDetails } from "./order.admin-queries.ts";

/** When the order was placed, each status change and staff's notes, with time and user, oldest first. */
export function OrderHistory({ order }: { order: Pick<OrderDetails, "created_at" | "events" | "notes"> }) {
  const lines = [
    ...order.events.map((event) => ({
      id: `event ${event.id}`,
      at: event.created_at,
      by: event.by,
      text: (
        <>
          {event.from_status} to <strong>{event.to_status}</strong>
        </>
      ),
    })),
    ...order.notes.map((note) => ({
      id: note.id,
      at: note.created_at,
      by: note.by,
      text: (
        <span className="wrap-anywhere whitespace-pre-line">
          Note: <bdi>{note.body ?? "removed with its customer"}</bdi>
        </span>
      ),
    })),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <ol className="figures">
      <HistoryLine at={order.created_at}>placed</HistoryLine>
      {lines.map(({ id, at, by, text }) => (
        <HistoryLine key={id} at={at}>
          {text}
          {by && (
            <span className="text-muted">
              {" "}
              by <bdi>{by}</bdi>
            </span>
          )}
        </HistoryLine>
      ))}
    </ol>
  );
}

function HistoryLine({ at, children }: { at: string; children: React.ReactNode }) {
  return (
    <li className="flex gap-4 py-0.5">
      <time dateTime={at} className="w-40 shrink-0 text-muted">
        {formatMinute(at)}
      </time>
      <span className="min-w-0">{children}</span>
    </li>
  );
}
