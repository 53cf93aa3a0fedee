import { Link, useSearchParams } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import {
  type DocumentKind,
  hasDeliveryNote,
  invoiceTitle,
  parcelsOf,
  readDocumentKind,
} from "#app/features/documents/document.ts";
import { DeliveryNote, OrderInvoice } from "#app/features/documents/order-document.tsx";
import { type OrderDocument, useOrderDocument } from "#app/features/documents/use-order-document.ts";
import { orderName } from "#app/features/orders/order.ts";
import { pageHead } from "#app/features/site/head.ts";
import type { Route } from "./+types/receipt.ts";

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageHead(matches, {
    title: "Your invoice",
    description: "The invoice, receipt or delivery note of your order.",
    path: `/orders/${params.orderId}/receipt`,
  });

export default function Receipt({ params: { orderId } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const kind = readDocumentKind(search.get("paper"));
  const { status, result: content, retry } = useOrderDocument(orderId, kind);
  return (
    <div className="page max-w-4xl pt-8 pb-16 sm:pt-12 sm:pb-24 print:max-w-none print:p-0">
      <NeedsJavaScript />
      {status === "loading" && <ReceiptSkeleton />}
      {status === "failed" && <LoadFailed text="We couldn't load this document." onTryAgain={retry} />}
      {content === null && <NotFound />}
      {content && <ShownDocument content={content} kind={kind} />}
    </div>
  );
}

function ShownDocument({ content, kind }: { content: OrderDocument; kind: DocumentKind }) {
  const { order, invoice, payment } = content;
  const isNote = kind === "delivery-note";
  const bill = invoiceTitle(payment);
  return (
    <>
      <h1 className="text-32 sm:text-42 print:hidden">
        {isNote ? "Delivery note" : bill} of {orderName(order).toLowerCase()}
      </h1>
      <div className="mt-5 mb-8 flex flex-wrap gap-3 print:hidden">
        {(isNote || invoice) && <Button onClick={() => window.print()}>Print</Button>}
        {(isNote || hasDeliveryNote(order)) && (
          <Link
            to={isNote ? "?" : "?paper=delivery-note"}
            className={buttonClass({ variant: "secondary" })}
            preventScrollReset
            replace
          >
            {isNote ? bill : "Delivery note"}
          </Link>
        )}
        <Link to={`/order-confirmation/${order.id}`} className={buttonClass({ variant: "quiet" })}>
          Back to the order
        </Link>
      </div>
      {isNote &&
        parcelsOf(order).map(({ id, sent_at, parcel }) => (
          <DeliveryNote key={id} id={id} order={{ ...order, parcel }} sentAt={sent_at} />
        ))}
      {!isNote && invoice && <OrderInvoice order={order} invoice={invoice} payment={payment} />}
      {!isNote && !invoice && <p>This order was cancelled, so it has no invoice.</p>}
    </>
  );
}

function NotFound() {
  return (
    <div className="flex flex-col items-start gap-5">
      <h1 className="text-32 sm:text-42">Order Not Found</h1>
      <p className="measure">We couldn't find the order you're looking for.</p>
      <Link to="/orders" className={buttonClass()}>
        My Orders
      </Link>
    </div>
  );
}

/** As tall as the window, like most documents, so that the footer does not move into view and down again. */
function ReceiptSkeleton() {
  return (
    <div aria-busy="true" className="flex min-h-dvh flex-col gap-5">
      <h1 className="sr-only">Your invoice</h1>
      <Skeleton className="h-11 w-80 max-w-full" />
      <Skeleton className="h-96" />
    </div>
  );
}
