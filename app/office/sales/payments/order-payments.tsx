import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import type { OrderPayment, PaymentState } from "#app/features/payments/payment.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { useDuty } from "#app/office/frame/duties.tsx";
import { hasKept } from "#app/office/frame/use-kept.ts";
import { formatCedis } from "#shared/text/money.ts";
import { KeepOverpayment, OweAgain } from "./keep-overpayment.tsx";
import { findOrderPayments, type StaffPayment } from "./payment.admin-queries.ts";
import { PaymentRows } from "./payment-rows.tsx";
import { keptPayment, RecordPayment } from "./record-payment.tsx";

const states: Readonly<Record<Exclude<PaymentState, "too_much">, string>> = {
  none: "Nothing to pay or refund",
  due: "Nothing paid yet",
  part_paid: "Paid in part",
  paid: "Paid in full",
};

const stateOf = ({ state, owedBack }: Pick<OrderPayment, "state" | "owedBack">) =>
  state === "too_much" ? `${formatCedis(owedBack)} to refund` : states[state];

/** Money mostly goes back the way it came; what Paystack took has a refund of its own. */
const lastPaidBy = (rows: readonly StaffPayment[]) =>
  rows.findLast(({ kind, method }) => kind === "payment" && method !== "paystack")?.method ?? "mobile_money";

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
      {data && (data.due > 0 ? `${formatCedis(data.due)} due` : stateOf(data))}
    </span>
  );
}

/**
 * An order's payments and amount due, with staff's actions.
 * @param endsDownloads whether a refund ends downloads
 */
export function OrderPayments({ orderId, endsDownloads }: { orderId: string; endsDownloads: boolean }) {
  const [form, setForm] = useState<"payment" | "refund" | "keeping" | null>(() =>
    hasKept(keptPayment(orderId)) ? "payment" : null,
  );
  const mayRefund = useDuty("refunds");
  const close = () => setForm(null);
  const payments = useOrderPayments(orderId);
  const failure = readFailure("payments", payments);
  if (payments.data === undefined)
    return failure ? <RetryNote {...failure} /> : <Skeleton className="h-20" />;
  if (payments.data === null) return null;
  const { paid, due, owedBack, kept, returned, state, rows } = payments.data;
  return (
    <>
      {/* Shown beside the payments, so that a half-filled form is kept. */}
      {failure && <RetryNote {...failure} />}
      <p className="figures">
        <span className={state === "too_much" ? "font-semibold text-clay" : "font-semibold"}>
          {stateOf(payments.data)}
        </span>
        {paid > 0 && `, ${formatCedis(paid)} paid`}
        {kept > 0 && `, ${formatCedis(kept)} of it kept`}
        {due > 0 && `, ${formatCedis(due)} due`}
        {returned > 0 && `. ${formatCedis(returned)} taken off for returned copies`}
      </p>
      {rows.length > 0 && <PaymentRows payments={rows} endsDownloads={endsDownloads} />}
      {(form === "payment" || form === "refund") && (
        <RecordPayment
          orderId={orderId}
          start={
            form === "refund"
              ? { kind: form, amount: owedBack, method: lastPaidBy(rows) }
              : { kind: form, amount: due, method: "mobile_money" }
          }
          due={due}
          endsDownloads={endsDownloads}
          onDone={close}
        />
      )}
      {form === "keeping" && (
        <KeepOverpayment orderId={orderId} owedBack={owedBack} kept={kept} onDone={close} />
      )}
      {form === null && (
        <div className="mt-3 flex flex-wrap gap-3">
          {owedBack > 0 && mayRefund && (
            <Button variant="secondary" size="small" onClick={() => setForm("refund")}>
              Record a refund
            </Button>
          )}
          <Button variant="secondary" size="small" onClick={() => setForm("payment")}>
            Record a payment
          </Button>
          {owedBack > 0 && mayRefund && (
            <Button variant="secondary" size="small" onClick={() => setForm("keeping")}>
              Keep the money
            </Button>
          )}
          {kept > 0 && mayRefund && <OweAgain orderId={orderId} kept={kept} />}
        </div>
      )}
    </>
  );
}
