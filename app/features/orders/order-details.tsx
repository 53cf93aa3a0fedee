import type { ReactNode } from "react";
import { printedIsbn } from "#app/features/books/book.ts";
import { BookCover } from "#app/features/books/book-cover.tsx";
import { formatMinute } from "#app/lib/dates.ts";
import { formatCedis, pesewasFromCedis, timesQuantity } from "#app/lib/money.ts";
import { useSiteSettings } from "#app/lib/site-settings.ts";
import type { OwnOrder, OwnOrderItem } from "./order.queries.ts";
import { orderNumber } from "./order.ts";
import { OrderStatusBadge } from "./order-status-badge.tsx";

/** Number, status, day and address of an order, as its customer sees them. */
export function OrderFacts({ order }: { order: OwnOrder }) {
  return (
    <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      <Fact name="Order number">
        <span className="figures font-display text-20 font-semibold">{orderNumber(order.id)}</span>
      </Fact>
      <Fact name="Status">
        <OrderStatusBadge status={order.status} />
      </Fact>
      <Fact name="Placed on">
        <time dateTime={order.created_at}>{formatMinute(order.created_at)}</time>
      </Fact>
      <Fact name="Total">
        <span className="figures font-semibold">{formatCedis(pesewasFromCedis(order.total_amount))}</span>
      </Fact>
      <Fact name="Shipping address">
        {order.recipient_name && <span className="block">{order.recipient_name}</span>}
        <span className="block wrap-anywhere">{order.shipping_address ?? "None given"}</span>
      </Fact>
      {(order.recipient_email || order.recipient_phone) && (
        <Fact name="We reach you at">
          {order.recipient_email && <span className="block wrap-anywhere">{order.recipient_email}</span>}
          {order.recipient_phone && <span className="block">{order.recipient_phone}</span>}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-13 text-muted">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}

/** What was ordered, under the names of then: also when a book is not sold any more. */
export function OrderItems({ order }: { order: OwnOrder }) {
  return (
    <section aria-labelledby="order-items">
      <h2 id="order-items" className="text-25">
        Order Details
      </h2>
      <ul aria-label="Books ordered" className="mt-3 border-y border-line">
        {order.items.map((item) => (
          <OrderItem key={item.id} item={item} />
        ))}
      </ul>
      <p className="figures flex items-baseline justify-between pt-4">
        <span className="text-17 font-semibold">Total</span>
        <span className="font-display text-25 font-semibold">
          {formatCedis(pesewasFromCedis(order.total_amount))}
        </span>
      </p>
    </section>
  );
}

function OrderItem({ item }: { item: OwnOrderItem }) {
  const { backendUrl } = useSiteSettings();
  const { title, publisher, quantity } = item;
  const isbn = printedIsbn(item);
  const price = pesewasFromCedis(item.price);
  const cover = {
    title,
    publisher,
    image_url: item.book?.image_url ?? null,
    subject: item.book?.subject ?? null,
    course: item.book?.course ?? null,
  };
  return (
    <li className="flex gap-4 border-b border-line py-4 text-15 last:border-b-0">
      <BookCover book={cover} backendUrl={backendUrl} sizes="56px" className="w-14 shrink-0 self-start" />
      <div className="min-w-0 grow">
        <h3 className="font-sans leading-snug font-semibold wrap-anywhere">{title}</h3>
        <p className="text-13 text-muted">{publisher ?? "Unknown"}</p>
        {isbn && <p className="figures text-13 text-muted">ISBN {isbn}</p>}
        <p className="figures mt-1 flex flex-wrap justify-between gap-x-3">
          <span>
            {quantity} × {formatCedis(price)}
          </span>
          <span className="font-semibold">{formatCedis(timesQuantity(price, quantity))}</span>
        </p>
      </div>
    </li>
  );
}
