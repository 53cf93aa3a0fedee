import { type ReactNode, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { paymentDay, paymentName } from "#app/features/payments/payment.ts";
import { useDuty } from "#app/office/frame/duties.tsx";
import { paymentReasons } from "#shared/owner/payment-terms.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { StaffPayment } from "./payment.admin-queries.ts";
import { type Action, actionName, actionsFor, PaymentAction } from "./payment-action.tsx";

export const paymentStates: Readonly<Record<string, string>> = {
  open: "In progress",
  settled: "Settled",
  failed: "Failed",
  needs_decision: "Needs a decision",
  set_aside: "Set aside",
};

/** What Paystack received, if it differs from the row's amount. */
function received({ received_amount, received_currency, state }: StaffPayment): string | null {
  if (state !== "needs_decision" && state !== "set_aside") return null;
  return `Received: ${received_amount?.toFixed(2)} ${received_currency}`;
}

/** Payments with their states and actions. */
export function PaymentRows({
  payments,
  nameOf = () => null,
  endsDownloads = false,
}: {
  payments: readonly StaffPayment[];
  /** Shown before each payment's name in a list for several orders. */
  nameOf?: (payment: StaffPayment) => ReactNode;
  /** Whether a refund ends the downloads of their order. */
  endsDownloads?: boolean;
}) {
  const refunds = useDuty("refunds");
  const [acting, setActing] = useState<{ id: string; action: Action } | null>(null);
  return (
    <ul aria-label="Payments" className="figures">
      {payments.map((payment) => (
        <li key={payment.id} className="border-b border-line py-2">
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
            <div className="min-w-0 grow basis-64">
              <p>
                {nameOf(payment)}
                <span className="font-semibold">{paymentName(payment)}</span>
                <span className="text-muted">, {paymentDay(payment)}</span>
              </p>
              <Details payment={payment} />
            </div>
            <p className="font-semibold">{formatCedis(payment.amount)}</p>
            <div className="flex gap-2">
              {actionsFor(payment, refunds).map((action) => (
                <Button
                  key={action}
                  variant="secondary"
                  size="small"
                  aria-label={`${actionName(action)}: ${paymentName(payment)} ${formatCedis(payment.amount)}`}
                  aria-expanded={acting?.id === payment.id && acting.action === action}
                  onClick={() => setActing({ id: payment.id, action })}
                >
                  {actionName(action)}
                </Button>
              ))}
            </div>
          </div>
          {acting?.id === payment.id && (
            <PaymentAction
              endsDownloads={endsDownloads}
              key={acting.action}
              payment={payment}
              action={acting.action}
              onDone={() => setActing(null)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function Details({ payment }: { payment: StaffPayment }) {
  const { state, reason, reference, note, by_name } = payment;
  const isUrgent = state === "needs_decision" || state === "failed";
  const facts = [reason && (paymentReasons[reason] ?? reason), received(payment)];
  return (
    <div className="text-13 text-muted">
      {state !== "settled" && (
        <p>
          <span className={isUrgent ? "font-semibold text-clay" : "font-semibold"}>
            {paymentStates[state] ?? state}
          </span>{" "}
          {facts.filter(Boolean).join(" ")}
        </p>
      )}
      {reference && <p className="wrap-anywhere">{reference}</p>}
      {note && <p className="wrap-anywhere whitespace-pre-line">{note}</p>}
      {by_name && (
        <p>
          by <bdi>{by_name}</bdi>
        </p>
      )}
    </div>
  );
}
