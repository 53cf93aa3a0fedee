import { Link, useSearchParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { SavedNote } from "#app/features/offline/saved-note.tsx";
import type { OwnOrderSummary } from "#app/features/orders/order.queries.ts";
import { orderName, orderReference } from "#app/features/orders/order.ts";
import { OrderStatusBadge } from "#app/features/orders/order-status-badge.tsx";
import { ordersCopy, useOwnOrders } from "#app/features/orders/use-own-orders.ts";
import { OwnPaymentLine } from "#app/features/payments/own-payment-line.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { Route } from "./+types/orders.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: "My Orders",
    description: "Your orders, newest first.",
    path: "/orders",
  });

export default function Orders() {
  const [search] = useSearchParams();
  const page = readPage(search.get("page"));
  const { status, result, retry } = useOwnOrders(page);
  return (
    <div className="page max-w-4xl pt-8 pb-16 sm:pt-12 sm:pb-24">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h1 className="text-32 sm:text-42">My Orders</h1>
        <Link to="/quotes" className="inline-flex min-h-11 items-center text-green underline">
          My Quotes
        </Link>
      </div>
      <div className="mt-6">
        <NeedsJavaScript />
        <SavedNote list={ordersCopy(page)} isInPage onTryAgain={retry} className="mb-6" />
        {status === "loading" && <OrdersSkeleton />}
        {status === "failed" && <LoadFailed text="We couldn't load your orders." onTryAgain={retry} />}
        {result?.total === 0 && <NoOrders />}
        {result && result.total > 0 && (
          <>
            <ul aria-label="Orders" className="border-t border-line">
              {result.orders.map((order) => (
                <OrderRow key={order.id} order={order} refresh={retry} />
              ))}
            </ul>
            <OrderPages page={page} pages={result.pages} />
          </>
        )}
      </div>
    </div>
  );
}

/** The page number in the URL; anything else counts as page 1. */
function readPage(text: string | null): number {
  return /^[1-9]\d{0,4}$/.test(text ?? "") ? Number(text) : 1;
}

function OrderRow({ order, refresh }: { order: OwnOrderSummary; refresh: () => void }) {
  return (
    <li className="border-b border-line">
      <Link
        to={`/order-confirmation/${order.id}`}
        className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-4 gap-y-1 py-4 hover:bg-tint sm:-mx-3 sm:grid-cols-[auto_1fr_auto_8rem] sm:px-3"
      >
        <FirstCovers books={order.firstTitles} />
        <span className="min-w-0 text-15">
          <span className="figures block text-17 font-semibold underline">{orderName(order)}</span>
          <OrderTitles order={order} />
          <span className="figures block text-muted">
            {formatDay(order.created_at)} · {countOf(order.copies, "copy", "copies")} ·{" "}
            <span className="text-13">{orderReference(order.id)}</span>
          </span>
        </span>
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 sm:contents">
          <span className="justify-self-end max-sm:order-1">
            <OrderStatusBadge status={order.status} isPartSent={order.isPartSent} />
          </span>
          <span className="figures font-semibold sm:text-right">{formatCedis(order.total_amount)}</span>
        </span>
      </Link>
      {order.hasDownloads && order.status !== "cancelled" && (
        <Link
          to={`/order-confirmation/${order.id}#downloads`}
          className="inline-flex min-h-11 items-center text-15 text-green underline"
        >
          Downloads<span className="sr-only"> of {orderName(order).toLowerCase()}</span>
        </Link>
      )}
      {order.payment && <OwnPaymentLine order={order} payment={order.payment} refresh={refresh} />}
    </li>
  );
}

/** What the order is about: 'Aki-Ola Mathematics 4 and 3 more'. */
function OrderTitles({ order: { firstTitles, titles } }: { order: OwnOrderSummary }) {
  const [first] = firstTitles;
  if (!first) return null;
  return (
    <span className="block">
      <bdi className="line-clamp-2 wrap-anywhere">{first.title}</bdi>
      {titles > 1 && <span className="text-muted">and {countOf(titles - 1, "more", "more")}</span>}
    </span>
  );
}

/** The first three covers, one behind the other. */
function FirstCovers({ books }: { books: OwnOrderSummary["firstTitles"] }) {
  const { backendUrl } = useSiteSettings();
  return (
    <span aria-hidden="true" className="flex w-20 max-sm:row-span-2">
      {books.map((book, index) => (
        <BookCover
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have one title, and the list never changes
          key={index}
          book={book}
          backendUrl={backendUrl}
          sizes="48px"
          className="w-12 shrink-0 ring-1 ring-white shadow-float not-first:-ml-8"
        />
      ))}
    </span>
  );
}

function OrderPages({ page, pages }: { page: number; pages: number }) {
  if (pages === 1 && page === 1) return null;
  return (
    <nav aria-label="Pages of orders" className="flex items-center justify-between gap-4 pt-6">
      {page > 1 ? (
        <Link
          to={`?page=${Math.min(page - 1, pages)}`}
          className={buttonClass({ variant: "secondary", size: "small" })}
        >
          Newer orders
        </Link>
      ) : (
        <span />
      )}
      <span className="figures text-15 text-muted">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <Link to={`?page=${page + 1}`} className={buttonClass({ variant: "secondary", size: "small" })}>
          Older orders
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}

function NoOrders() {
  return (
    <div className="flex flex-col items-start gap-5">
      <p>You haven't ordered anything yet.</p>
      <Link to="/shop" className={buttonClass()}>
        Browse Books
      </Link>
    </div>
  );
}

function OrdersSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-14" />
      ))}
    </div>
  );
}
