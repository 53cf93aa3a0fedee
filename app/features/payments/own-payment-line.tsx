import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { formatCedis } from "#shared/text/money.ts";
import { PayNow } from "./pay-now.tsx";
import type { OrderPayment } from "./payment.ts";

type OwnPaymentLineProps = {
  order: { id: string; number: number };
  payment: OrderPayment;
  /** Reads the list again. */
  refresh: () => void;
};

/**
 * Below an order in the list: what is paid or due, and how to pay it. Renders nothing when there is nothing to show.
 */
export function OwnPaymentLine({ order, payment, refresh }: OwnPaymentLineProps) {
  const { paysOnline = false } = useSiteSettings();
  const { state, due, owedBack } = payment;
  const canPay = paysOnline && due > 0;
  if (!canPay && (state === "due" || state === "none")) return null;
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 pb-4 text-15">
      {due > 0 ? (
        <span className="figures">{formatCedis(due)} due</span>
      ) : (
        <span className="figures font-semibold text-green">
          {owedBack > 0 ? `We owe you ${formatCedis(owedBack)}` : "Paid"}
        </span>
      )}
      {canPay && (
        <PayNow
          orderId={order.id}
          label={`Pay now: order ${order.number}`}
          size="small"
          onOutdated={refresh}
        />
      )}
    </div>
  );
}
