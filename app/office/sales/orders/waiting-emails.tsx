import { useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import {
  listWaitingEmails,
  stopEmails,
  type WaitingEmails as Waiting,
} from "#app/office/frame/emails/email.admin-queries.ts";
import { countOf } from "#shared/text/count-of.ts";
import { useUndoShipment } from "./send-dialog.tsx";
import { STATUS_NAMES } from "./status-names.ts";
import { useUndoStatuses } from "./undo-statuses.ts";

/** The emails about statuses and parcels that have not left yet, each with the seconds that are left now. */
export function useWaitingEmails(): Waiting[] {
  const { data = [], dataUpdatedAt } = useAdminQuery(["orders", "waiting-emails"], listWaitingEmails, {
    refreshing: true,
  });
  const passed = Math.floor((useNow(data.length > 0) - dataUpdatedAt) / 1_000);
  return data
    .map((one) => ({ ...one, seconds: one.seconds - Math.max(0, passed) }))
    .filter(({ seconds }) => seconds > 0);
}

/** The time, every second while it counts. */
function useNow(counts: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!counts) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [counts]);
  return now;
}

export function useStopEmails() {
  return useAdminMutation({
    run: (client, events: readonly string[]) => stopEmails(client, events),
    success: (stopped) =>
      stopped > 0
        ? { title: `${countOf(stopped, "email")} stopped`, description: "What was changed stays." }
        : { title: "The email no longer waits" },
    failure: "Failed to stop the emails",
  });
}

/**
 * Below the list, over its end: the orders that the user changed, and those of which they sent a parcel, whose customers are about to be
 * told. They can take it back, so that no email leaves, or keep it and stop the emails. What colleagues did is theirs: in the order's details
 * its email can be stopped. It moves nothing in the list.
 */
export function WaitingEmails() {
  const waiting = useWaitingEmails().filter(({ isOwn }) => isOwn);
  const stop = useStopEmails();
  const undoStatuses = useUndoStatuses();
  const undoShipment = useUndoShipment();
  const [first] = waiting;
  if (!first) return null;
  const undo = (taken: readonly Waiting[]) => {
    const statuses = taken.flatMap((one) =>
      one.parcel ? [] : [{ id: one.orderId, status: one.status, former: one.fromStatus }],
    );
    const undoParcels = () => {
      for (const { parcel } of taken) if (parcel) undoShipment.mutate(parcel.id);
    };
    // One after the other: undoing an earlier parcel also sets its order's status back.
    if (statuses.length > 0) undoStatuses(statuses, { onSettled: undoParcels });
    else undoParcels();
  };
  const controls = (of: readonly Waiting[]) => {
    const undoable = of.filter(canUndo);
    return {
      onUndo: undoable.length > 0 ? () => undo(undoable) : null,
      onStop: () => stop.mutate(of.map(({ event }) => event)),
    };
  };
  const rowOf = (one: Waiting) => (
    <Row
      text={`${describeWaiting(one)} Its email leaves in ${one.seconds} s.`}
      of={`order ${one.number}`}
      {...controls([one])}
    />
  );
  return (
    <section
      aria-label="Emails about to leave"
      data-end-bar
      className="sticky bottom-2 z-10 mt-auto rounded-card border border-line-strong bg-surface p-3 shadow-float"
    >
      {waiting.length === 1 ? (
        rowOf(first)
      ) : (
        <>
          <Row
            text={`${countOf(new Set(waiting.map(({ orderId }) => orderId)).size, "order")} changed. The first email leaves in ${first.seconds} s.`}
            of="all of them"
            {...controls(waiting)}
          />
          <details>
            <summary className="cursor-pointer py-1.5 text-green underline">Each order</summary>
            <ul className="grid max-h-44 gap-2 overflow-y-auto py-1">
              {waiting.map((one) => (
                <li key={one.event}>{rowOf(one)}</li>
              ))}
            </ul>
          </details>
        </>
      )}
    </section>
  );
}

/** A correction of what the customer was told can only be stopped. */
const canUndo = ({ parcel }: Waiting): boolean => !parcel?.isTakenBack;

function describeWaiting(one: Waiting): string {
  if (!one.parcel) return `Order ${one.number} is now ${STATUS_NAMES[one.status].toLowerCase()}.`;
  const { copies, isTakenBack } = one.parcel;
  return `Order ${one.number}: ${isTakenBack ? "parcel of " : ""}${countOf(copies, "copy", "copies")} ${isTakenBack ? "taken back" : "sent"}.`;
}

type RowProps = { text: string; of: string; onUndo: (() => void) | null; onStop: () => void };

function Row({ text, of, onUndo, onStop }: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="figures min-w-0 grow">{text}</p>
      {onUndo && (
        <Button variant="secondary" size="small" aria-label={`Undo: ${of}`} onClick={onUndo}>
          Undo
        </Button>
      )}
      <Button variant="secondary" size="small" aria-label={`Don't send: ${of}`} onClick={onStop}>
        Don't Send
      </Button>
    </div>
  );
}
