import { type DocumentOrder, packedItems, partOfOrder, sumCopies } from "#app/features/documents/document.ts";
import { orderName } from "#app/features/orders/order.ts";
import type { OrderPayment } from "#app/features/payments/payment.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { shortOrderId } from "#app/office/frame/order-number.ts";
import { destinationOf } from "#shared/orders/delivery.ts";
import { orderFacts } from "#shared/orders/order-fields.ts";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import { writtenPhone } from "#shared/text/phone.ts";
import { OrderItems } from "./order-items.tsx";

/** A printed sheet for packing the parcel: recipient, books, quantities, and what to collect on delivery. */
export function PackingSheet({ order, payment }: { order: DocumentOrder; payment: OrderPayment | null }) {
  const shop = currentShop();
  const { heading, hasAddress } = destinationOf(order.delivery_method);
  const items = packedItems(order);
  const part = partOfOrder(order);
  return (
    <div className="max-w-3xl [&+&]:mt-12 print:[&+&]:mt-0 print:[&+&]:break-before-page">
      <div className="flex flex-wrap justify-between gap-6 border-b border-ink pb-4">
        <p>
          <strong className="font-display text-20">{shop.name}</strong>
          {[...shop.address, ...shop.phones.slice(0, 1)].map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </p>
        <dl className="figures grid grid-cols-[auto_auto] gap-x-4 self-start">
          <dt className="text-muted">Order ID</dt>
          <dd>{shortOrderId(order.id)}</dd>
          {order.status === "cancelled" && (
            <>
              <dt className="text-muted">Status</dt>
              <dd className="font-semibold">Cancelled</dd>
            </>
          )}
        </dl>
      </div>
      <h2 className="mt-4 font-sans text-13 text-muted">{heading}</h2>
      <p className="text-17 font-semibold wrap-anywhere">{order.recipient_name || "N/A"}</p>
      {hasAddress && order.shipping_address && (
        <p className="text-17 wrap-anywhere">{order.shipping_address}</p>
      )}
      <p className="figures text-17">{order.recipient_phone && writtenPhone(order.recipient_phone)}</p>
      {orderFacts(order, "staff").map(([name, value]) => (
        <p key={name} className="wrap-anywhere whitespace-pre-line">
          <span className="text-muted">{name}</span> {value}
        </p>
      ))}
      {order.items.some(({ kind }) => kind === "digital") && (
        <p className="mt-4 font-semibold">
          {order.items.every(({ kind }) => kind === "digital")
            ? "Nothing to pack: all of it is digital."
            : "Its digital titles are not packed."}
        </p>
      )}
      {part && <p className="mt-4 font-semibold">To pack: {part}.</p>}
      <div className="mt-5">
        <OrderItems items={items} pageHead={`${orderName(order)}, ${formatDay(order.created_at)}`} packing>
          <tfoot>
            <tr>
              <td colSpan={3} className="pt-2 text-right">
                Copies <strong className="pl-2 font-semibold">{sumCopies(items)}</strong>
              </td>
            </tr>
            <tr>
              <td colSpan={3} className="pt-1 text-right">
                Total <strong className="pl-2 font-semibold">{formatCedis(order.total_amount)}</strong>
              </td>
            </tr>
            {payment && (
              <tr>
                <td colSpan={3} className="pt-1 text-right">
                  Still due <strong className="pl-2 font-semibold">{formatCedis(payment.due)}</strong>
                </td>
              </tr>
            )}
          </tfoot>
        </OrderItems>
      </div>
    </div>
  );
}
