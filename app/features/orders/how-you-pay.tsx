import { MobileMoney } from "#app/features/payments/mobile-money.tsx";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { paidOnline } from "#shared/owner/payment-terms.ts";
import { canCancel, type OrderStatus } from "./order.ts";

type HowYouPayProps = {
  /** Of a placed order. */
  status?: OrderStatus;
  /** Hides the text about payment. */
  isPaid?: boolean;
  /** Hides the text about delivery. */
  isDownloaded?: boolean;
};

/**
 * The owner's texts on payment and delivery, at checkout and on the order's page, and how to cancel. Not shown for a
 * delivered or cancelled order.
 */
export function HowYouPay({ status, isPaid = false, isDownloaded = false }: HowYouPayProps) {
  const { paysOnline } = useSiteSettings();
  const { payment, deliveryTerms } = currentShop();
  if (!canCancel(status ?? "pending") || (isPaid && isDownloaded)) return null;
  return (
    <section aria-labelledby="how-you-pay" className="rounded-card bg-tint p-5 text-15">
      <h2 id="how-you-pay" className="font-sans text-15 font-semibold">
        {isDownloaded
          ? "How you pay"
          : isPaid
            ? "How you receive your order"
            : "How you pay and receive your order"}
      </h2>
      {!isPaid && <p className="mt-2 whitespace-pre-line">{paysOnline ? paidOnline : payment}</p>}
      {/* A placed order shows it with the amount that is due. */}
      {status === undefined && <MobileMoney order={null} />}
      {deliveryTerms && !isDownloaded && <p className="mt-2 whitespace-pre-line">{deliveryTerms}</p>}
      <p className="mt-2">
        You can cancel the order on its page until it is {isDownloaded ? "paid" : "delivered"}.
      </p>
    </section>
  );
}
