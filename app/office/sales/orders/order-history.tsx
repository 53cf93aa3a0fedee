import { Button } from "#app/components/button.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { OrderDetails } from "./order.admin-queries.ts";
import { useUndoReturn } from "./return-dialog.tsx";
import { returnReasons, sumReturn } from "./return-form.ts";

/** When the order was placed, each status change, return and note of staff, with time and user, oldest first. */
export function OrderHistory({
  order,
}: {
  order: Pick<OrderDetails, "created_at" | "events" | "notes" | "returns">;
}) {
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
      more: null,
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
      more: null,
    })),
    ...order.returns.map((returned) => ({
      id: returned.id,
      at: returned.created_at,
      by: returned.by,
      text: describeReturn(returned),
      more: <ReturnDetails returned={returned} />,
    })),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <ol className="figures">
      <HistoryLine at={order.created_at}>placed</HistoryLine>
      {lines.map(({ id, at, by, text, more }) => (
        <HistoryLine key={id} at={at}>
          {text}
          {by && (
            <span className="text-muted">
              {" "}
              by <bdi>{by}</bdi>
            </span>
          )}
          {more}
        </HistoryLine>
      ))}
    </ol>
  );
}

type Returned = OrderDetails["returns"][number];

/** '3 copies returned (damaged), GH₵60.00 taken off'. */
function describeReturn({ lines, reason }: Returned): string {
  const { copies, refund } = sumReturn(lines);
  const why = (returnReasons[reason] ?? reason).toLowerCase();
  return `${countOf(copies, "copy", "copies")} returned (${why})${refund > 0 ? `, ${formatCedis(refund)} taken off` : ""}`;
}

/** Its books and note, and how to undo it, or that it was. */
function ReturnDetails({ returned }: { returned: Returned }) {
  const { id, lines, note, undone_at, undoneBy } = returned;
  const undo = useUndoReturn();
  return (
    <>
      {lines.map(({ order_item_id, title, copies, resalable }) => (
        <span key={order_item_id} className="block text-13 wrap-anywhere text-muted">
          {copies} × {title}
          {!resalable && ", written off"}
        </span>
      ))}
      {note && (
        <span className="block text-13 wrap-anywhere whitespace-pre-line text-muted">
          Note: <bdi>{note}</bdi>
        </span>
      )}
      {undone_at ? (
        <span className="block">
          Undone on {formatMinute(undone_at)}
          {undoneBy && (
            <>
              {" "}
              by <bdi>{undoneBy}</bdi>
            </>
          )}
        </span>
      ) : (
        <Button
          variant="quiet"
          size="small"
          className="-ml-3"
          busy={undo.isPending}
          aria-label={`Undo: ${describeReturn(returned)}`}
          onClick={() => undo.mutate(id)}
        >
          Undo
        </Button>
      )}
    </>
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
