import type { ReactNode } from "react";
import { printedIsbn } from "#app/features/books/isbn.ts";
import { TermsNote } from "#app/features/law/terms-note.tsx";
import { orderName } from "#app/features/orders/order.ts";
import type { OrderPayment } from "#app/features/payments/payment.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { destinationOf } from "#shared/orders/delivery.ts";
import { deliveryFacts, referenceFacts } from "#shared/orders/order-fields.ts";
import { deliveryPriceWords, isFreelyDelivered, type QuoteDelivery } from "#shared/orders/quote-delivery.ts";
import { besideDeliveryLine } from "#shared/owner/delivery-words.ts";
import type { Tax } from "#shared/owner/document-terms.ts";
import { mobileMoneyFacts } from "#shared/owner/mobile-money.ts";
import { formatDay, formatMinute } from "#shared/text/dates.ts";
import { formatCedis, timesQuantity } from "#shared/text/money.ts";
import { writtenPhone } from "#shared/text/phone.ts";
import {
  type DocumentOrder,
  type Invoice,
  invoiceTitle,
  packedItems,
  partOfOrder,
  sumCopies,
} from "./document.ts";
import {
  DocumentEnd,
  DocumentFrame,
  DocumentHeading,
  DocumentPageHead,
  DocumentPart,
  DocumentRecipient,
  DocumentTotal,
  DocumentTotals,
} from "./document-frame.tsx";
import { taxFacts } from "./included-taxes.ts";

type InvoiceProps = { order: DocumentOrder; invoice: Invoice; payment: OrderPayment };

/**
 * An order's invoice; once it has been paid in full, its receipt. Seller and taxes are those of its time; how to pay what is still due
 * is as of today.
 */
export function OrderInvoice({ order, invoice, payment }: InvoiceProps) {
  const { id } = order;
  const seller = { ...currentShop(), ...invoice.shop };
  const wallet = mobileMoneyFacts(currentShop(), String(order.number));
  return (
    <DocumentFrame
      id={`invoice-${id}`}
      title={invoiceTitle(payment)}
      facts={[
        ["Number", invoice.reference],
        ["Date", formatDay(invoice.issued_at)],
        ["Changed", invoice.changed_at && formatMinute(invoice.changed_at)],
        ...orderFacts(order),
        ["Tax number", seller.taxNumber],
      ]}
      sender={seller}
    >
      <Recipient order={order} title="For" hasAddress />
      <Lines order={order} withPrices>
        <Totals order={order} payment={payment} taxes={seller.taxes} />
        {payment.due > 0 && (
          <DocumentPart id={`payment-${id}`} title="How to pay">
            <p className="wrap-anywhere whitespace-pre-line">
              {besideDeliveryLine(
                currentShop().howToPay.replaceAll("{order}", String(order.number)),
                isFreelyDelivered(chargedAs(order), order.delivery_fee),
              )}
            </p>
            {wallet.length > 0 && (
              <p className="mt-2 wrap-anywhere">
                By mobile money: {wallet.map(([name, value]) => `${name.toLowerCase()} ${value}`).join(", ")}.
              </p>
            )}
          </DocumentPart>
        )}
        <TermsNote version={order.terms_version} />
      </Lines>
    </DocumentFrame>
  );
}

type NoteProps = { order: DocumentOrder; sentAt?: string | null; id?: string };

/**
 * Goes with the parcel: its contents and destination, without prices.
 * @param id unique on the page
 */
export function DeliveryNote({ order, sentAt = null, id = order.id }: NoteProps) {
  const { heading, hasAddress } = destinationOf(order.delivery_method);
  const items = packedItems(order);
  return (
    <DocumentFrame
      id={`delivery-note-${id}`}
      title="Delivery note"
      facts={[
        ...orderFacts(order),
        ["This parcel", partOfOrder(order)],
        ["Sent", sentAt && formatDay(sentAt)],
      ]}
    >
      <Recipient order={order} title={heading} hasAddress={hasAddress} />
      <Lines order={{ ...order, items }}>
        <DocumentTotals>
          <DocumentTotal name="Copies">{String(sumCopies(items))}</DocumentTotal>
        </DocumentTotals>
        <p className="mt-6 text-15 whitespace-pre-line">{currentShop().deliveryNote}</p>
        <div className="mt-10 grid max-w-md grid-cols-2 gap-8 text-13 text-muted">
          {["Received by", "Date"].map((name) => (
            <p key={name} className="border-t border-ink pt-1">
              {name}
            </p>
          ))}
        </div>
      </Lines>
    </DocumentFrame>
  );
}

function orderFacts(order: DocumentOrder): [name: string, value: string | null][] {
  return [
    ["Status", order.status === "cancelled" ? "Cancelled" : null],
    ["Purchase order", order.quote?.purchase_order_number ?? null],
    ...referenceFacts(order, "customer"),
  ];
}

type RecipientProps = { order: DocumentOrder; title: string; hasAddress: boolean };

function Recipient({ order, title, hasAddress }: RecipientProps) {
  const said = deliveryFacts(order).map(([name, value]) => `${name}: ${value}`);
  return (
    <DocumentRecipient
      title={title}
      lines={[
        order.recipient_name,
        hasAddress ? order.shipping_address : null,
        order.recipient_phone && writtenPhone(order.recipient_phone),
        order.recipient_email,
        ...said,
      ]}
    />
  );
}

type LinesProps = { order: DocumentOrder; withPrices?: boolean; children: ReactNode };

/** The order's books, followed by the end of the document. */
function Lines({ order, withPrices = false, children }: LinesProps) {
  const wide = "hidden sm:table-cell print:table-cell";
  return (
    <table aria-label="Books" className="figures mt-6 w-full text-15">
      <thead className="text-13 text-muted">
        <DocumentPageHead>{`${orderName(order)}, ${formatDay(order.created_at)}`}</DocumentPageHead>
        <tr className="border-b border-line-strong">
          <DocumentHeading className="text-left">Book</DocumentHeading>
          <DocumentHeading className={`text-right ${withPrices ? wide : ""}`}>Quantity</DocumentHeading>
          {withPrices && <DocumentHeading className={`text-right ${wide}`}>Unit price</DocumentHeading>}
          {withPrices && <DocumentHeading className="text-right">Amount</DocumentHeading>}
        </tr>
      </thead>
      <tbody>
        {order.items.map((item) => {
          const isbn = printedIsbn(item);
          return (
            <tr key={item.id} className="break-inside-avoid border-b border-line align-top">
              <td className="py-2">
                <p className="font-semibold wrap-anywhere">{item.title}</p>
                {isbn && <p className="text-13 text-muted">ISBN {isbn}</p>}
                {item.kind === "digital" && <p className="text-13 text-muted">Digital</p>}
                {/* On a narrow screen, in place of the two middle columns. */}
                {withPrices && (
                  <p className="text-13 sm:hidden print:hidden">
                    {item.quantity} × {formatCedis(item.price)}
                  </p>
                )}
              </td>
              <td className={`py-2 pl-3 text-right whitespace-nowrap ${withPrices ? wide : "font-semibold"}`}>
                {item.quantity}
              </td>
              {withPrices && (
                <td className={`py-2 pl-3 text-right whitespace-nowrap ${wide}`}>
                  {formatCedis(item.price)}
                </td>
              )}
              {withPrices && (
                <td className="py-2 pl-3 text-right font-semibold whitespace-nowrap">
                  {formatCedis(timesQuantity(item.price, item.quantity))}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
      <DocumentEnd>{children}</DocumentEnd>
    </table>
  );
}

/** How its delivery is charged: included in the prices if its quote says so, unless it was given a fee since. */
const chargedAs = ({ delivery_method, delivery_fee, quote }: DocumentOrder): QuoteDelivery => ({
  delivery_method,
  delivery_pricing: delivery_fee === 0 ? (quote?.delivery_pricing ?? "fees") : "fees",
});

type TotalsProps = Omit<InvoiceProps, "invoice"> & { taxes: readonly Tax[] };

function Totals({ order, payment, taxes }: TotalsProps) {
  const charged = chargedAs(order);
  return (
    <DocumentTotals>
      <dt className="text-muted">Delivery</dt>
      {isFreelyDelivered(charged, order.delivery_fee) ? (
        <dd className="font-semibold text-green">Free</dd>
      ) : (
        <dd>{deliveryPriceWords(charged, order.delivery_fee) ?? formatCedis(order.delivery_fee)}</dd>
      )}
      <DocumentTotal name="Total">{formatCedis(order.total_amount)}</DocumentTotal>
      {taxFacts(order.total_amount, taxes).map(([name, amount]) => (
        <Amount key={name} name={name} amount={amount} />
      ))}
      {payment.returned > 0 && <Amount name="Returned books" amount={`−${formatCedis(payment.returned)}`} />}
      <Amount name="Paid" amount={formatCedis(payment.paid)} />
      <Amount name="Due" amount={formatCedis(payment.due)} />
    </DocumentTotals>
  );
}

function Amount({ name, amount }: { name: string; amount: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="font-semibold">{amount}</dd>
    </>
  );
}
