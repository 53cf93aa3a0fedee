import { Link } from "react-router";
import { Button } from "#app/components/button.tsx";
import { shipmentFacts } from "#shared/orders/order-fields.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { OrderDetails } from "./order.admin-queries.ts";
import { useUndoReturn } from "./return-dialog.tsx";
import { returnReasons, sumReturn, UNSENT } from "./return-form.ts";
import { useUndoShipment } from "./send-dialog.tsx";
import { shipmentNotePath } from "./staff-documents.ts";

/** When the order was placed, each status change, shipment, return and note of staff, with time and user, oldest first. */
export function OrderHistory({
  order,
}: {
  order: Pick<OrderDetails, "id" | "created_at" | "events" | "notes" | "returns" | "shipments">;
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
    ...order.shipments.map((sent) => ({
      id: sent.id,
      at: sent.created_at,
      by: sent.by,
      text: describeShipment(sent),
      more: <ShipmentDetails order={order} sent={sent} />,
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
  if (reason === UNSENT) return `${countOf(copies, "unsent copy", "unsent copies")} back in stock`;
  const why = (returnReasons[reason] ?? reason).toLowerCase();
  return `${countOf(copies, "copy", "copies")} returned (${why})${refund > 0 ? `, ${formatCedis(refund)} taken off` : ""}`;
}

/** Its books and note, and how to undo it, or that it was. */
function ReturnDetails({ returned }: { returned: Returned }) {
  const { id, lines, note, reason } = returned;
  const undo = useUndoReturn();
  return (
    <>
      {lines.map(({ order_item_id, title, copies, resalable }) => (
        <span key={`${order_item_id} ${resalable}`} className="block text-13 wrap-anywhere text-muted">
          {copies} × {title}
          {!resalable && ", written off"}
        </span>
      ))}
      {note && (
        <span className="block text-13 wrap-anywhere whitespace-pre-line text-muted">
          Note: <bdi>{note}</bdi>
        </span>
      )}
      {reason !== UNSENT && (
        <UndoneOrUndo
          of={returned}
          what={describeReturn(returned)}
          busy={undo.isPending}
          onUndo={() => undo.mutate(id)}
        />
      )}
    </>
  );
}

type Shipped = OrderDetails["shipments"][number];

/** '7 copies sent' */
const describeShipment = ({ lines }: Shipped): string =>
  `${countOf(
    lines.reduce((sum, { copies }) => sum + copies, 0),
    "copy",
    "copies",
  )} sent`;

/** Its books, how they travel, its delivery note, and how to undo it, or that it was. */
function ShipmentDetails({ order, sent }: { order: { id: string }; sent: Shipped }) {
  const { id, lines, undone_at } = sent;
  const undo = useUndoShipment();
  return (
    <>
      {lines.map(({ order_item_id, title, copies }) => (
        <span key={order_item_id} className="block text-13 wrap-anywhere text-muted">
          {copies} × {title}
        </span>
      ))}
      {shipmentFacts(sent).map(([name, value]) => (
        <span key={name} className="block text-13 wrap-anywhere text-muted">
          {name}: <bdi>{value}</bdi>
        </span>
      ))}
      <span className="flex flex-wrap items-center gap-x-4">
        <UndoneOrUndo
          of={sent}
          what={describeShipment(sent)}
          busy={undo.isPending}
          onUndo={() => undo.mutate(id)}
        />
        {!undone_at && (
          <Link
            to={shipmentNotePath(order, sent)}
            className="inline-flex min-h-11 items-center text-13 text-green underline"
          >
            Delivery note
          </Link>
        )}
      </span>
    </>
  );
}

type UndoneOrUndoProps = {
  of: Pick<Shipped, "undone_at" | "undoneBy">;
  /** What would be undone, for those who hear the button's name alone. */
  what: string;
  busy: boolean;
  onUndo: () => void;
};

/** The button that undoes something, or when and by whom it was undone. */
function UndoneOrUndo({ of: { undone_at, undoneBy }, what, busy, onUndo }: UndoneOrUndoProps) {
  if (!undone_at)
    return (
      <Button
        variant="quiet"
        size="small"
        className="-ml-3"
        busy={busy}
        aria-label={`Undo: ${what}`}
        onClick={onUndo}
      >
        Undo
      </Button>
    );
  return (
    <span className="block">
      Undone on {formatMinute(undone_at)}
      {undoneBy && (
        <>
          {" "}
          by <bdi>{undoneBy}</bdi>
        </>
      )}
    </span>
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
