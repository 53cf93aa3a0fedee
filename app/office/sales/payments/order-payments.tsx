import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import type { PaymentState } from "#app/features/payments/payment.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { useDuty } from "#app/office/frame/duties.tsx";
import { formatCedis } from "#shared/text/money.ts";
import { findOrderPayments } from "./payment.admin-queries.ts";
import { PaymentRows } from "./payment-rows.tsx";
import { RecordPayment } from "./record-payment.tsx";

const states: Readonly<Record<PaymentState, string>> = {
  none: "Nothing paid",
  due: "Nothing paid yet",
  part_paid: "Paid in part",
  paid: "Paid in full",
  too_much: "Overpaid: refund the difference",
};

export function useOrderPayments(orderId: string) {
  const withRows = useDuty("payments");
  return useAdminQuery(
    ["orders", "payments", orderId, withRows],
    (client) => findOrderPayments(client, orderId, withRows),
    // Reopened a second later, the dialog must not show an outdated amount.
    { refreshing: true, fresh: true },
  );
}

/** What is still to be paid, beside the total. The line is there while it loads, so that nothing below it moves. */
export function OrderDue({ orderId }: { orderId: string }) {
  const { data } = useOrderPayments(orderId);
  if (data === null) return null;
  return (
    <span className="block min-h-5 text-13 font-semibold">
      {data && (data.due > 0 ? `${formatCedis(data.due)} due` : states[data.state])}
    </span>
  );
}

/**
 * An order's payments and amount due, with staff's actions.
 * @param endsDownloads whether a refund ends downloads
 */
export function OrderPayments({ orderId, endsDownloads }: { orderId: string; endsDownloads: boolean }) {
  const [recording, setRecording] = useState(false);
  const payments = useOrderPayments(orderId);
  const failure = readFailure("payments", payments);
  if (payments.data === undefined)
    return failure ? <RetryNote {...failure} /> : <Skeleton className="h-20" />;
  if (payments.data === null) return null;
  const { paid, due, state, rows } = payments.data;
  return (
    <>
      {/* Shown beside the payments, so that a half-filled form is kept. */}
      {failure && <RetryNote {...failure} />}
      <p className="figures">
        <span className={state === "too_much" ? "font-semibold text-clay" : "font-semibold"}>
          {states[state]}
        </span>
        {paid > 0 && `, ${formatCedis(paid)} paid`}
        {due > 0 && `, ${formatCedis(due)} due`}
      </p>
      {rows.length > 0 && <PaymentRows payments={rows} endsDownloads={endsDownloads} />}
      {recording ? (
        <RecordPayment
          orderId={orderId}
          due={due}
          endsDownloads={endsDownloads}
          onDone={() => setRecording(false)}
        />
      ) : (
        <Button variant="secondary" size="small" className="mt-3" onClick={() => setRecording(true)}>
          Record a payment
        </Button>
      )}
    </>
  );
}
