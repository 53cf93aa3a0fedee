import { formatMinute } from "#app/lib/dates.ts";
import type { OrderDetails } from "./order.admin-queries.ts";

/** When the order was placed, then each status change with its time and user. */
export function OrderHistory({ order }: { order: Pick<OrderDetails, "created_at" | "events"> }) {
  return (
    <ol className="figures">
      <HistoryLine at={order.created_at}>placed</HistoryLine>
      {order.events.map((event) => (
        <HistoryLine key={event.id} at={event.created_at}>
          {event.from_status} to <strong>{event.to_status}</strong>
          {event.by && (
            <span className="text-muted">
              {" "}
              by <bdi>{event.by}</bdi>
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
      <span>{children}</span>
    </li>
  );
}
