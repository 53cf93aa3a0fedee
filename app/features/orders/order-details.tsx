import { Link } from "react-router";
import { EmailText } from "#app/components/email-text.tsx";
import { Fact } from "#app/components/fact.tsx";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { publisherName } from "#app/features/books/book.ts";
import { bookPath } from "#app/features/books/book-address.ts";
import { printedIsbn } from "#app/features/books/isbn.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { DOWNLOAD } from "#shared/orders/delivery.ts";
import { orderFacts, type Shipment, shipmentFacts, shipmentFields } from "#shared/orders/order-fields.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { formatCedis, timesQuantity } from "#shared/text/money.ts";
import { phoneLink, writtenPhone } from "#shared/text/phone.ts";
import type { OwnOrder, OwnOrderItem, SentCopies } from "./order.queries.ts";
import { orderReference } from "./order.ts";
import { OrderStatusBadge } from "./order-status-badge.tsx";

/** Whether one of its shipments says the same. */
const isListed = (order: OwnOrder): boolean =>
  (order.shipments ?? []).some((sent) => shipmentFields.every(({ name }) => sent[name] === order[name]));

const driverPhone = shipmentFields.find(({ name }) => name === "driver_phone")?.label;

function ShipmentFacts({ of }: { of: Shipment }) {
  return shipmentFacts(of).map(([name, value]) => (
    <Fact key={name} className="figures mt-0.5 wrap-anywhere" name={name}>
      {name === driverPhone ? (
        <a href={phoneLink(value)} className="text-green underline">
          {writtenPhone(value)}
        </a>
      ) : (
        value
      )}
    </Fact>
  ));
}

/** What was sent before the rest, with whom, and what is still to come; nothing for an order that was sent as a whole. */
export function OrderShipments({ order: { shipments = [], toSend = [] } }: { order: OwnOrder }) {
  if (shipments.length === 0) return null;
  return (
    <section aria-labelledby="order-shipments">
      <h2 id="order-shipments" className="text-25">
        {toSend.length > 0 ? "Some of your books are on their way" : "Your parcels"}
      </h2>
      {shipments.map((sent) => (
        <div key={sent.id} className="mt-4 border-t border-line pt-3 text-15">
          <h3 className="font-sans font-semibold">
            Sent on <time dateTime={sent.sent_at}>{formatMinute(sent.sent_at)}</time>
          </h3>
          <Copies lines={sent.lines} />
          <dl className="mt-3 grid gap-x-8 gap-y-3 sm:grid-cols-2">
            <ShipmentFacts of={sent} />
          </dl>
        </div>
      ))}
      {toSend.length > 0 && (
        <div className="mt-4 border-t border-line pt-3 text-15">
          <h3 className="font-sans font-semibold">Still to come</h3>
          <Copies lines={toSend} />
        </div>
      )}
    </section>
  );
}

function Copies({ lines }: { lines: readonly SentCopies[] }) {
  return (
    <ul className="figures mt-1">
      {lines.map(({ order_item_id, title, copies }) => (
        <li key={order_item_id} className="wrap-anywhere">
          {copies} × {title}
        </li>
      ))}
    </ul>
  );
}

export function OrderFacts({ order }: { order: OwnOrder }) {
  return (
    <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      <Fact className="mt-0.5" name="Order number">
        <span className="figures block font-display text-20 font-semibold">{order.number}</span>
        <span className="text-13 text-muted">
          Reference <span className="figures">{orderReference(order.id)}</span>
        </span>
      </Fact>
      <Fact className="mt-0.5" name="Status">
        <OrderStatusBadge status={order.status} isPartSent={(order.shipments ?? []).length > 0} />
      </Fact>
      <Fact className="mt-0.5" name="Placed on">
        <time dateTime={order.created_at}>{formatMinute(order.created_at)}</time>
      </Fact>
      {order.quote && (
        <Fact
          className="mt-0.5"
          name={order.quote.purchase_order_number ? "Purchase order" : "Accepted offer"}
        >
          <span className="block font-semibold wrap-anywhere">{order.quote.purchase_order_number}</span>
          <Link to={`/quotes/${order.quote.id}`} className="text-13 text-green underline">
            Quote {order.quote.reference}
          </Link>
        </Fact>
      )}
      {order.delivery_method === DOWNLOAD ? (
        <Fact className="mt-0.5 wrap-anywhere" name="For">
          {order.recipient_name}
        </Fact>
      ) : (
        <Fact className="mt-0.5" name="Shipping address">
          {order.recipient_name && <span className="block wrap-anywhere">{order.recipient_name}</span>}
          <span className="block wrap-anywhere">{order.shipping_address ?? "None given"}</span>
        </Fact>
      )}
      {orderFacts(order, "customer").map(([name, value]) => (
        <Fact key={name} className="mt-0.5 wrap-anywhere whitespace-pre-line" name={name}>
          {value}
        </Fact>
      ))}
      {!isListed(order) && <ShipmentFacts of={order} />}
      {(order.recipient_email || order.recipient_phone) && (
        <Fact className="mt-0.5" name="We'll reach you at">
          {order.recipient_email && (
            <span className="block">
              <EmailText address={order.recipient_email} />
            </span>
          )}
          {order.recipient_phone && <span className="block">{writtenPhone(order.recipient_phone)}</span>}
        </Fact>
      )}
    </dl>
  );
}

/** The ordered books with their titles at the time, including those no longer sold. */
export function OrderItems({ order }: { order: OwnOrder }) {
  return (
    <section aria-labelledby="order-items">
      <h2 id="order-items" className="text-25">
        Order Details
      </h2>
      <ul aria-label="Books ordered" className="mt-3 border-y border-line">
        {order.items.map((item) => (
          <OrderItem key={item.id} item={item} isDelivered={order.status === "delivered"} />
        ))}
      </ul>
      {order.delivery_fee > 0 && (
        <p className="figures flex items-baseline justify-between pt-4 text-15">
          <span className="text-muted">Shipping</span>
          <span className="font-semibold">{formatCedis(order.delivery_fee)}</span>
        </p>
      )}
      <p className="figures flex items-baseline justify-between pt-4">
        <span className="text-17 font-semibold">Total</span>
        <span className="font-display text-25 font-semibold">{formatCedis(order.total_amount)}</span>
      </p>
    </section>
  );
}

function OrderItem({ item, isDelivered }: { item: OwnOrderItem; isDelivered: boolean }) {
  const { backendUrl } = useSiteSettings();
  const { title, publisher, price, quantity } = item;
  const isbn = printedIsbn(item);
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
        <h3 className="font-sans leading-snug font-semibold wrap-anywhere">
          {item.book ? (
            <Link to={bookPath(item.book)} className="hover:text-green hover:underline">
              {title}
            </Link>
          ) : (
            title
          )}
        </h3>
        <p className="text-13 text-muted">{publisherName(publisher)}</p>
        {isbn && <p className="figures text-13 text-muted">ISBN {isbn}</p>}
        {item.kind === "digital" && <p className="text-13 text-muted">Digital</p>}
        <p className="figures mt-1 flex flex-wrap justify-between gap-x-3">
          <span>
            {quantity} × {formatCedis(price)}
          </span>
          <span className="font-semibold">{formatCedis(timesQuantity(price, quantity))}</span>
        </p>
        {item.book && isDelivered && (
          <Link
            to={`${bookPath(item.book)}#reviews`}
            className="inline-flex min-h-11 items-center text-green underline print:hidden"
          >
            Write a Review
            <span className="sr-only"> of {title}</span>
          </Link>
        )}
      </div>
    </li>
  );
}
