import { useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import {
  listWaitingStatusEmails,
  stopStatusEmails,
  type WaitingStatusEmails as Waiting,
} from "#app/office/frame/emails/email.admin-queries.ts";
import { countOf } from "#shared/text/count-of.ts";
import { STATUS_NAMES } from "./status-names.ts";
import { useUndoStatuses } from "./undo-statuses.ts";

/** The emails about a status that have not left yet, each with the seconds that are left now. */
export function useWaitingStatusEmails(): Waiting[] {
  const { data = [], dataUpdatedAt } = useAdminQuery(["orders", "status-emails"], listWaitingStatusEmails, {
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

export function useStopStatusEmails() {
  return useAdminMutation({
    run: (client, orderIds: readonly string[]) => stopStatusEmails(client, orderIds),
    success: (stopped) =>
      stopped > 0
        ? { title: `${countOf(stopped, "email")} stopped`, description: "The order keeps its new status." }
        : { title: "The email had already left" },
    failure: "Failed to stop the emails",
  });
}

/**
 * Below the list, over its end: the orders that the user changed and whose customers are about to be told. They can set them back, so that
 * no email leaves, or keep the status and stop the emails. What colleagues changed is theirs: in the order's details its email can be
 * stopped. It moves nothing in the list.
 */
export function WaitingStatusEmails() {
  const waiting = useWaitingStatusEmails().filter(({ isOwn }) => isOwn);
  const stop = useStopStatusEmails();
  const undo = useUndoStatuses();
  const [first] = waiting;
  if (!first) return null;
  const setBack = (orders: readonly Waiting[]) =>
    undo(orders.map(({ orderId, status, fromStatus }) => ({ id: orderId, status, former: fromStatus })));
  const rowOf = (one: Waiting) => (
    <Row
      text={`Order ${one.number} is now ${STATUS_NAMES[one.status].toLowerCase()}. Its email leaves in ${one.seconds} s.`}
      of={`order ${one.number}`}
      onSetBack={() => setBack([one])}
      onStop={() => stop.mutate([one.orderId])}
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
            text={`${countOf(waiting.length, "order")} changed. The first email leaves in ${first.seconds} s.`}
            of="all of them"
            onSetBack={() => setBack(waiting)}
            onStop={() => stop.mutate(waiting.map(({ orderId }) => orderId))}
          />
          <details>
            <summary className="cursor-pointer py-1.5 text-green underline">Each order</summary>
            <ul className="grid max-h-44 gap-2 overflow-y-auto py-1">
              {waiting.map((one) => (
                <li key={one.orderId}>{rowOf(one)}</li>
              ))}
            </ul>
          </details>
        </>
      )}
    </section>
  );
}

type RowProps = { text: string; of: string; onSetBack: () => void; onStop: () => void };

function Row({ text, of, onSetBack, onStop }: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="figures min-w-0 grow">{text}</p>
      <Button variant="secondary" size="small" aria-label={`Undo: ${of}`} onClick={onSetBack}>
        Undo
      </Button>
      <Button variant="secondary" size="small" aria-label={`Don't send: ${of}`} onClick={onStop}>
        Don't Send
      </Button>
    </div>
  );
}
