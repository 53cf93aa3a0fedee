import { printedIsbn } from "#app/features/books/isbn.ts";
import {
  DocumentFrame,
  DocumentHeading,
  DocumentPart,
  DocumentRecipient,
  DocumentTotal,
  DocumentTotals,
} from "#app/features/documents/document-frame.tsx";
import { TermsNote } from "#app/features/law/terms-note.tsx";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { DOWNLOAD } from "#shared/orders/delivery.ts";
import { deliveryPriceWords, isFreelyDelivered, quotedDestination } from "#shared/orders/quote-delivery.ts";
import { besideDeliveryLine } from "#shared/owner/delivery-words.ts";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import { writtenPhone } from "#shared/text/phone.ts";
import type { OwnQuote } from "./quote.queries.ts";
import {
  customerStatusNames,
  hasRequested,
  lineAmount,
  type QuoteLine,
  type QuoteStatus,
  quoteTotals,
  shortageOf,
} from "./quote.ts";

/** On paper, nothing else shows that the offer no longer applies. */
const overStatuses: ReadonlySet<QuoteStatus> = new Set(["declined", "withdrawn", "expired"]);

/**
 * The offer as an A4 sheet: part of the quote's page on screen, and a pro-forma invoice in print. The seller is that of the day on
 * which it was sent; how to pay and delivery are as of today.
 */
export function QuoteSheet({ quote }: { quote: OwnQuote }) {
  const { quotePayment, deliveryTerms } = currentShop();
  const isFree = isFreelyDelivered(quote, quote.delivery_fee ?? null);
  return (
    <DocumentFrame
      id="pro-forma"
      title="Pro-forma invoice"
      facts={[
        ["Number", quote.reference],
        ["Date", quote.sent_at && formatDay(quote.sent_at)],
        ["Status", overStatuses.has(quote.status) ? customerStatusNames[quote.status] : null],
        ["Valid until", quote.valid_until && formatDay(quote.valid_until)],
        ["Purchase order", quote.purchase_order_number],
      ]}
      sender={{ ...currentShop(), ...quote.shop }}
    >
      <DocumentRecipient
        title="For"
        lines={[
          quote.institution,
          quote.contact_name,
          quote.contact_email,
          quote.contact_phone && writtenPhone(quote.contact_phone),
        ]}
      />
      <Lines lines={quote.lines} isOpen={quote.status === "requested" || quote.status === "sent"} />
      <Totals quote={quote} />
      {quote.note && (
        <DocumentPart id="quote-note" title="Note">
          <p className="wrap-anywhere whitespace-pre-line">{quote.note}</p>
        </DocumentPart>
      )}
      <DocumentPart id="quote-payment" title="How to pay">
        <p className="whitespace-pre-line">{besideDeliveryLine(quotePayment, isFree)}</p>
        {quote.delivery_method !== DOWNLOAD && (
          <p className="mt-1 whitespace-pre-line">{besideDeliveryLine(deliveryTerms, isFree)}</p>
        )}
      </DocumentPart>
      <TermsNote />
    </DocumentFrame>
  );
}

function Lines({ lines, isOpen }: { lines: readonly QuoteLine[]; isOpen: boolean }) {
  const isRequest = hasRequested(lines);
  return (
    <table aria-label="Books" className="figures mt-6 w-full text-15">
      <thead className="text-13 text-muted">
        <tr className="border-b border-line-strong">
          <DocumentHeading className="text-left">Book</DocumentHeading>
          <DocumentHeading className="hidden text-right sm:table-cell print:table-cell">
            Quantity
          </DocumentHeading>
          <DocumentHeading className="hidden text-right sm:table-cell print:table-cell">
            Unit price
          </DocumentHeading>
          <DocumentHeading className="text-right">Amount</DocumentHeading>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.book_id} line={line} isOpen={isOpen} isAdded={!line.requested && isRequest} />
        ))}
      </tbody>
    </table>
  );
}

/** Today's stock says nothing of an offer that is accepted or over. */
function Line({ line, isOpen, isAdded }: { line: QuoteLine; isOpen: boolean; isAdded: boolean }) {
  const price = line.unit_price ?? line.shop_price;
  const shortage = isOpen ? shortageOf(line) : null;
  const isbn = printedIsbn(line);
  return (
    <tr className="break-inside-avoid border-b border-line align-top">
      <td className="py-2">
        <p className="font-semibold wrap-anywhere">{line.title}</p>
        {isbn && <p className="text-13 text-muted">ISBN {isbn}</p>}
        {/* On a narrow screen, in place of the two middle columns. */}
        <p className="text-13 sm:hidden print:hidden">
          {line.quantity} × {formatCedis(price)}
        </p>
        {isAdded && <p className="text-13 text-muted">Added by us</p>}
        {shortage && <p className="text-13 font-semibold text-clay print:hidden">{shortage}</p>}
      </td>
      <td className="hidden py-2 pl-3 text-right whitespace-nowrap sm:table-cell print:table-cell">
        {line.quantity}
      </td>
      <td className="hidden py-2 pl-3 text-right whitespace-nowrap sm:table-cell print:table-cell">
        {formatCedis(price)}
        {price < line.shop_price && (
          <s className="block text-13 text-muted">
            <span className="sr-only">instead of </span>
            {formatCedis(line.shop_price)}
          </s>
        )}
      </td>
      <td className="py-2 pl-3 text-right font-semibold whitespace-nowrap">
        {formatCedis(lineAmount(line))}
      </td>
    </tr>
  );
}

function Totals({ quote }: { quote: OwnQuote }) {
  const fee = quote.delivery_fee ?? null;
  const { atShopPrices, discount, total } = quoteTotals(quote.lines, fee);
  const destination = quotedDestination(quote);
  const words = deliveryPriceWords(quote, fee);
  return (
    <DocumentTotals>
      {discount > 0 && (
        <>
          <dt className="text-muted">At shop prices</dt>
          <dd>{formatCedis(atShopPrices)}</dd>
          <dt className="text-muted">Discount</dt>
          <dd className="font-semibold text-green">−{formatCedis(discount)}</dd>
        </>
      )}
      <dt className="text-muted">
        Delivery
        {destination && <span className="block text-13">{destination}</span>}
      </dt>
      <dd>{words ?? (fee !== null && formatCedis(fee))}</dd>
      <DocumentTotal name="Total">{formatCedis(total)}</DocumentTotal>
    </DocumentTotals>
  );
}
