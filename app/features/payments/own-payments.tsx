import { useEffect } from "react";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";
import { MobileMoney } from "./mobile-money.tsx";
import { PayNow } from "./pay-now.tsx";
import type { OwnPayments } from "./payment.queries.ts";
import { isAwaited, paymentDay, paymentName, returning } from "./payment.ts";

const LOOK_AGAIN_MS = 5_000;

type OwnPaymentsProps = {
  orderId: string;
  orderNumber: number;
  payments: OwnPayments;
  /** Reads the order again. */
  refresh: () => void;
};

/**
 * What has been paid for an order and what is due, with the way to pay. Renders nothing when there is nothing to
 * show.
 */
export function OwnPaymentsSection({ orderId, orderNumber, payments, refresh }: OwnPaymentsProps) {
  const { paysOnline = false } = useSiteSettings();
  const { paid, due, owedBack, kept, returned, state, shown, open, inDoubt, lastFailed } = payments;
  const isDue = due > 0 && !inDoubt;
  const canPay = paysOnline && isDue;
  const canSend = isDue && currentShop().mobileMoneyNumber !== "";
  const isWaiting = canPay && isAwaited(open, Date.now());
  const isSilent = shown.length === 0 && returned === 0 && !inDoubt && !canPay && !canSend;
  const onItsWay = returning(open);

  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => !document.hidden && refresh(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting, refresh]);

  if (isSilent) return null;
  return (
    <section aria-labelledby="payment" className="rounded-card border border-line-strong p-5 text-15">
      <h2 id="payment" className="font-sans text-15 font-semibold">
        Payment
      </h2>
      <dl className="figures mt-2 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 [&>dd]:text-right">
        {shown.map((row) => (
          <Line key={row.id} name={`${paymentName(row)}, ${paymentDay(row)}`} amount={row.amount} />
        ))}
        {shown.length > 1 && <Line name="Paid" amount={paid} strong />}
        {returned > 0 && <Line name="Taken off for returned books" amount={returned} />}
        {kept > 0 && <Line name="Kept by the shop" amount={kept} />}
        {due > 0 && <Line name={shown.length > 0 ? "Still due" : "Due"} amount={due} strong />}
      </dl>
      <div role="status">
        {state === "paid" && <p className="mt-2 font-semibold text-green">Paid in full. Thank you!</p>}
        {owedBack > onItsWay && (
          <p className="mt-2">We'll refund the {formatCedis((owedBack - onItsWay) as Pesewas)} we owe you.</p>
        )}
        {inDoubt && (
          <p className="mt-2">
            We're checking one of your payments. Please don't pay again. We'll call you if we need anything.
          </p>
        )}
        {canPay && lastFailed && (
          <p className="mt-2 font-semibold text-clay">
            Your last payment didn't go through. Please try again, or ask us about other ways to pay.
          </p>
        )}
        {onItsWay > 0 && <p className="mt-2">Your refund of {formatCedis(onItsWay)} is on its way.</p>}
        {isWaiting && (
          <p className="mt-2">
            We're waiting for Paystack to confirm your payment, which will then appear here. If you didn't
            finish paying, choose Pay now.
          </p>
        )}
      </div>
      {canPay && (
        <div className="mt-4 flex flex-col gap-2 print:hidden">
          <PayNow orderId={orderId} onOutdated={refresh} />
          <p className="text-13 text-muted">
            You pay by mobile money, card or bank transfer on Paystack's secure page.
          </p>
        </div>
      )}
      {canSend && <MobileMoney order={orderNumber} />}
    </section>
  );
}

function Line({ name, amount, strong = false }: { name: string; amount: Pesewas; strong?: boolean }) {
  const weight = strong ? "font-semibold" : "text-muted";
  return (
    <>
      <dt className={weight}>{name}</dt>
      <dd className={strong ? "font-semibold" : ""}>{formatCedis(amount)}</dd>
    </>
  );
}
