import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import { AskDialog } from "#app/components/ask-dialog.tsx";
import { Button, buttonClass } from "#app/components/button.tsx";
import { ParcelDrawing } from "#app/components/drawings/parcel-drawing.tsx";
import { Icon } from "#app/components/icon.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { hasDeliveryNote, invoiceTitle } from "#app/features/documents/document.ts";
import { SavedNote } from "#app/features/offline/saved-note.tsx";
import { HowYouPay } from "#app/features/orders/how-you-pay.tsx";
import type { OwnOrder } from "#app/features/orders/order.queries.ts";
import { canCancel, hasDownloads, type OrderStatus, orderName } from "#app/features/orders/order.ts";
import { OrderAgain } from "#app/features/orders/order-again.tsx";
import { OrderFacts, OrderItems, OrderShipments } from "#app/features/orders/order-details.tsx";
import { OrderTimeline } from "#app/features/orders/order-timeline.tsx";
import { orderCopy, useOwnOrder } from "#app/features/orders/use-own-order.ts";
import { OwnPaymentsSection } from "#app/features/payments/own-payments.tsx";
import { returning } from "#app/features/payments/payment.ts";
import { askLink } from "#app/features/site/contact-links.ts";
import { pageHead } from "#app/features/site/head.ts";
import { DOWNLOAD } from "#shared/orders/delivery.ts";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";
import type { Route } from "./+types/order-confirmation.ts";

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageHead(matches, {
    title: "Your order",
    description: "The number, books, delivery address and status of your order.",
    path: `/order-confirmation/${params.orderId}`,
  });

/** Few orders have digital titles. */
const Downloads = lazy(async () => ({
  default: (await import("#app/features/orders/downloads.tsx")).Downloads,
}));

const headings: Readonly<Record<OrderStatus, string>> = {
  pending: "Your order is placed",
  processing: "Your order is being prepared",
  shipped: "Your order is on its way",
  delivered: "Your order was delivered",
  cancelled: "Your order is cancelled",
};

export default function OrderConfirmation({ params }: Route.ComponentProps) {
  const { order, failed, retry, cancel, cancelling, refresh } = useOwnOrder(params.orderId);
  return (
    <div className="page pt-8 pb-16 sm:pt-12 sm:pb-24">
      <NeedsJavaScript />
      <SavedNote list={orderCopy(params.orderId)} isInPage onTryAgain={retry} className="mb-6" />
      {failed && <LoadFailed text="We couldn't load this order." onTryAgain={retry} />}
      {order === undefined && !failed && <OrderSkeleton />}
      {order === null && <OrderNotFound />}
      {order && <PlacedOrder order={order} cancel={cancel} cancelling={cancelling} refresh={refresh} />}
    </div>
  );
}

/** Each of an order's further links, over the whole width of their list. */
const LISTED = "flex min-h-11 items-center gap-2 text-15 text-green hover:underline underline-offset-4";

type CancelProps = { order: OwnOrder; cancel: () => Promise<void>; cancelling: boolean };

function PlacedOrder({ order, cancel, cancelling, refresh }: CancelProps & { refresh: () => void }) {
  const isDownloaded = order.delivery_method === DOWNLOAD;
  const heading =
    isDownloaded && order.status === "delivered" ? "Your downloads are ready" : headings[order.status];
  return (
    <>
      <h1 className="text-32 sm:text-42">{heading}</h1>
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-4 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr]">
        {/* Above the details, because on a phone paying is the next step. */}
        <div className="flex flex-col gap-4 max-lg:mb-4 lg:col-start-2">
          {order.payments && (
            <OwnPaymentsSection
              orderId={order.id}
              orderNumber={order.number}
              payments={order.payments}
              refresh={refresh}
            />
          )}
          <HowYouPay status={order.status} isPaid={order.payments?.due === 0} isDownloaded={isDownloaded} />
        </div>
        <div className="flex flex-col gap-10 max-lg:mb-6 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <OwnDownloadsSection order={order} />
          <OrderFacts order={order} />
          <OrderShipments order={order} />
          <OrderItems order={order} />
          <OrderTimeline steps={order.timeline} />
        </div>
        <div className="flex flex-col gap-4 lg:col-start-2 print:hidden">
          {/* The primary button is Pay now while something is due, and this one afterwards. */}
          <OrderAgain orderId={order.id} variant={canCancel(order.status) ? "secondary" : "primary"} />
          <ul aria-label="More about this order" className="divide-y divide-line border-y border-line">
            <Documents order={order} />
            <li>
              <a
                href={askLink(`Hello, I have a question about ${orderName(order)}.`)}
                target="_blank"
                rel="noreferrer"
                className={LISTED}
              >
                <Icon name="chat" />
                Ask about this order
              </a>
            </li>
            <li>
              <Link to="/orders" className={LISTED}>
                My Orders
              </Link>
            </li>
            <li>
              <Link to="/shop" className={LISTED}>
                Continue Shopping
              </Link>
            </li>
          </ul>
          {canCancel(order.status) && <CancelButton order={order} cancel={cancel} cancelling={cancelling} />}
        </div>
      </div>
    </>
  );
}

function OwnDownloadsSection({ order }: { order: OwnOrder }) {
  if (!hasDownloads(order.items)) return null;
  return (
    <section aria-labelledby="downloads">
      <h2 id="downloads" className="mb-3 text-25">
        Downloads
      </h2>
      <Suspense fallback={<Skeleton className="h-16" />}>
        <Downloads orderId={order.id} version={`${order.status} ${order.payments?.due}`} />
      </Suspense>
    </section>
  );
}

function Documents({ order }: { order: OwnOrder }) {
  const invoice = `/orders/${order.id}/receipt`;
  const bill = order.payments ? invoiceTitle(order.payments) : "Invoice";
  return (
    <>
      <li>
        <Link to={invoice} className={LISTED}>
          {bill}
        </Link>
      </li>
      {hasDeliveryNote(order) && (
        <li>
          <Link to={`${invoice}?paper=delivery-note`} className={LISTED}>
            Delivery note
          </Link>
        </li>
      )}
    </>
  );
}

function CancelButton({ order, cancel, cancelling }: CancelProps) {
  const [confirming, setConfirming] = useState(false);
  const { payments, shipments = [], toSend = [] } = order;
  const toRefund = payments ? payments.paid - payments.kept - returning(payments.open) : 0;
  return (
    <>
      <Button variant="quiet-danger" busy={cancelling} onClick={() => setConfirming(true)}>
        Cancel Order
      </Button>
      <AskDialog
        open={confirming}
        question="Cancel this order?"
        yes="Yes, cancel it"
        no="Keep order"
        onYes={() => void cancel()}
        onClose={() => setConfirming(false)}
      >
        <p>
          {orderName(order)}, {formatCedis(order.total_amount)}. {whatCancellingDoes(order)}, and this can't
          be undone.
        </p>
        {toRefund > 0 && (
          <p className="mt-2">
            {shipments.length > 0
              ? `We'll contact you about the refund${toSend.length > 0 ? " for the books that were not sent" : ""}.`
              : `We'll refund the ${formatCedis(toRefund as Pesewas)} that you have paid.`}
          </p>
        )}
      </AskDialog>
    </>
  );
}

function whatCancellingDoes({ status, shipments = [], toSend = [] }: OwnOrder): string {
  if (status === "shipped" || (shipments.length > 0 && toSend.length === 0))
    return "It has already been sent";
  return shipments.length > 0
    ? "Some of its books have already been sent; the others go back on sale"
    : "The books go back on sale";
}

function OrderNotFound() {
  return (
    <div className="flex flex-col items-start gap-5">
      <ParcelDrawing className="-ml-2 h-32 w-auto" />
      <h1 className="text-32 sm:text-42">Order Not Found</h1>
      <p className="measure">We couldn't find the order you're looking for.</p>
      <Link to="/shop" className={buttonClass()}>
        Continue Shopping
      </Link>
    </div>
  );
}

/** As tall as the window, like most orders, so that the footer does not move into view and down again. */
function OrderSkeleton() {
  return (
    <div aria-busy="true" className="flex min-h-dvh max-w-2xl flex-col gap-5">
      <h1 className="sr-only">Your order</h1>
      <Skeleton className="h-11 w-80 max-w-full" />
      <Skeleton className="h-32" />
      <Skeleton className="h-48" />
    </div>
  );
}
