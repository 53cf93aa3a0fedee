import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { isDownloaded } from "#app/features/cart/cart.ts";
import { cartMessages } from "#app/features/cart/cart-store.ts";
import { cart, useCart } from "#app/features/cart/use-cart.ts";
import { OrderSummary } from "#app/features/checkout/order-summary.tsx";
import { RequestQuoteForm } from "#app/features/quotes/request-quote-form.tsx";
import { useRequireMember } from "#app/features/session/use-require-member.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";

/** Requests a quote for the cart. */
export function QuoteRequest() {
  const userId = useRequireMember()?.id;
  const { status, lines } = useCart();
  const isReady = userId !== undefined && status === "ready";
  return (
    <div className="page pt-8 pb-16 sm:pt-12 sm:pb-24">
      <h1 className="text-32 sm:text-42">Request a quote</h1>
      <p className="measure mt-3">{currentShop().quoteRequest}</p>
      <NeedsJavaScript />
      {status === "failed" && (
        <LoadFailed className="mt-8" text={cartMessages.loadFailed} onTryAgain={() => void cart.load()} />
      )}
      {isReady && lines.length === 0 && (
        <div className="mt-8 flex flex-col items-start gap-5">
          <p>Your cart is empty. Add the books you need first.</p>
          <Link to="/shop" className={buttonClass()}>
            Browse Books
          </Link>
        </div>
      )}
      {isReady && lines.length > 0 && (
        <div className="mt-8 grid items-start gap-10 lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-16">
          <RequestQuoteForm userId={userId} downloaded={isDownloaded(lines)} />
          <div className="rounded-card border border-line bg-surface p-5">
            <OrderSummary
              lines={lines}
              shipping={currentShop().deliveryFees.length === 0 ? pesewasFromCedis(0) : "Shown in the quote"}
            />
          </div>
        </div>
      )}
      {!isReady && status !== "failed" && <Skeleton className="mt-8 h-dvh" />}
    </div>
  );
}
