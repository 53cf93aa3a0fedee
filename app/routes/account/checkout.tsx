import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Icon } from "#app/components/icon.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { type CartLine, cartTotal, isDownloaded } from "#app/features/cart/cart.ts";
import { cartMessages } from "#app/features/cart/cart-store.ts";
import { cart } from "#app/features/cart/use-cart.ts";
import type { CheckoutDraft } from "#app/features/checkout/checkout-draft.ts";
import { CheckoutForm } from "#app/features/checkout/checkout-form.tsx";
import { OrderSummary } from "#app/features/checkout/order-summary.tsx";
import { useCheckoutEntry } from "#app/features/checkout/use-checkout-entry.ts";
import { useCheckoutForm } from "#app/features/checkout/use-checkout-form.ts";
import { useDeliveryFee } from "#app/features/checkout/use-delivery-fee.ts";
import { usePlaceOrder } from "#app/features/checkout/use-place-order.ts";
import { asOrdered } from "#app/features/delivery/delivery-form.ts";
import { DataNote, LawLink } from "#app/features/law/data-note.tsx";
import { deliveryAndReturns, terms } from "#app/features/law/law-pages.ts";
import { HowYouPay } from "#app/features/orders/how-you-pay.tsx";
import { pageHead } from "#app/features/site/head.ts";
import type { Route } from "./+types/checkout.ts";

const FORM = "checkout-form";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: "Checkout",
    description: "Check your books and your total, and tell us where to deliver.",
    path: "/checkout",
  });

export default function Checkout() {
  const { draft, lines, cartFailed, leave } = useCheckoutEntry();
  return (
    <div className="page pt-6 pb-16 sm:pt-10 sm:pb-24">
      <BackButton />
      <h1 className="mt-2 mb-6 text-32 sm:text-42">Checkout</h1>
      <NeedsJavaScript />
      {draft ? (
        <OpenCheckout key={draft.orderId} draft={draft} lines={lines} leave={leave} />
      ) : cartFailed ? (
        <LoadFailed text={cartMessages.loadFailed} onTryAgain={() => void cart.load()} />
      ) : (
        <CheckoutSkeleton />
      )}
    </div>
  );
}

type OpenCheckoutProps = {
  draft: CheckoutDraft;
  lines: readonly CartLine[];
  leave: (to: string) => Promise<void>;
};

function OpenCheckout({ draft, lines, leave }: OpenCheckoutProps) {
  const downloaded = isDownloaded(lines);
  const form = useCheckoutForm(draft, downloaded, (values) =>
    placeOrder(values, typeof shipping === "number" ? shipping : null),
  );
  const { shipping, readAgain } = useDeliveryFee(asOrdered(form.values, downloaded), cartTotal(lines));
  const isUnknown = shipping === "loading" || shipping === "failed";
  const { problem, placeOrder } = usePlaceOrder(draft, leave, readAgain);
  return (
    <div className="grid items-start gap-10 lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-16">
      <CheckoutForm id={FORM} form={form} isDownloaded={downloaded} />
      <div className="flex flex-col gap-6">
        <div className="rounded-card border border-line bg-surface p-5">
          <OrderSummary lines={lines} shipping={shipping} />
          {problem && <p className="mt-4 border-l-4 border-clay bg-clay-tint px-3 py-2 text-15">{problem}</p>}
          {shipping === "failed" && (
            <LoadFailed
              className="mt-4"
              text="We couldn't work out what delivery costs."
              onTryAgain={readAgain}
            />
          )}
          {/* Customers must see the total before they can order. */}
          <Button
            type="submit"
            form={FORM}
            size="large"
            disabled={form.busy || isUnknown}
            className="mt-5 w-full"
          >
            {form.busy ? "Placing your order…" : "Place Order"}
          </Button>
          <DataNote className="mt-3">
            By ordering you accept our <LawLink page={terms} /> and what we say about{" "}
            <LawLink page={deliveryAndReturns} />. We use your details to {downloaded ? "provide" : "deliver"}{" "}
            this order and to reach you about it.
          </DataNote>
        </div>
        <HowYouPay isDownloaded={downloaded} />
      </div>
    </div>
  );
}

function BackButton() {
  const navigate = useNavigate();
  function goBack() {
    // The first page of a tab has no page of this shop to go back to.
    const position: unknown = window.history.state?.idx;
    if (typeof position === "number" && position > 0) void navigate(-1);
    else void navigate("/shop");
  }
  return (
    <Button variant="quiet" size="small" className="-ml-3" onClick={goBack}>
      <Icon name="arrow-left" size={18} />
      Back
    </Button>
  );
}

/** As tall as the window, like the loaded page, so that the footer does not move into view and down again. */
function CheckoutSkeleton() {
  return (
    <div
      aria-busy="true"
      className="grid min-h-dvh content-start gap-10 lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-16"
    >
      <div className="flex flex-col gap-5">
        <Skeleton className="h-8 w-56" />
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} className="h-11" />
        ))}
      </div>
      <Skeleton className="h-72" />
    </div>
  );
}
