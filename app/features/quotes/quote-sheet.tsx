import { formatDay } from "#app/lib/dates.ts";
import { formatIsbn } from "#app/lib/isbn.ts";
import { formatCedis } from "#app/lib/money.ts";
import { quoteTerms } from "#app/quote-terms.ts";
import { shop } from "#app/shop.ts";
import type { OwnQuote } from "./quote.queries.ts";
import { lineAmount, type QuoteLine, quoteTotals, shortageOf } from "./quote.ts";

/** The offer as a sheet of A4: on the screen part of the quote's page, in print a pro-forma invoice and nothing else. */
export function QuoteSheet({ quote }: { quote: OwnQuote }) {
  return (
    <article
      aria-labelledby="pro-forma"
      className="rounded-card border border-line bg-surface p-4 sm:p-8 print:border-0 print:p-0"
    >
      <div className="flex flex-wrap justify-between gap-x-8 gap-y-5 border-b border-ink pb-5">
        <div>
          <h2 id="pro-forma" className="text-25">
            Pro-forma invoice
          </h2>
          <dl className="figures mt-2 grid grid-cols-[auto_1fr] gap-x-4 text-15">
            <Row name="Number">{quote.reference}</Row>
            {quote.sent_at && <Row name="Date">{formatDay(quote.sent_at)}</Row>}
            {quote.valid_until && <Row name="Valid until">{formatDay(quote.valid_until)}</Row>}
            {quote.purchase_order_number && <Row name="Purchase order">{quote.purchase_order_number}</Row>}
          </dl>
        </div>
        <address className="text-15 not-italic sm:text-right">
          <strong className="font-display text-20">{shop.name}</strong>
          {[...shop.address, shop.phones[0].shown, shop.email].map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </address>
      </div>
      <section aria-labelledby="quote-for" className="mt-5 text-15">
        <h3 id="quote-for" className="font-sans text-13 text-muted">
          For
        </h3>
        <p className="text-17 font-semibold wrap-anywhere">{quote.institution}</p>
        {[quote.contact_name, quote.contact_email, quote.contact_phone].map(
          (line) =>
            line && (
              <p key={line} className="wrap-anywhere">
                {line}
              </p>
            ),
        )}
      </section>
      <Lines lines={quote.lines} />
      <Totals lines={quote.lines} />
      {quote.note && (
        <section aria-labelledby="quote-note" className="mt-6 break-inside-avoid text-15">
          <h3 id="quote-note" className="font-sans font-semibold">
            Note
          </h3>
          <p className="wrap-anywhere whitespace-pre-line">{quote.note}</p>
        </section>
      )}
      <section aria-labelledby="quote-payment" className="mt-6 break-inside-avoid text-15">
        <h3 id="quote-payment" className="font-sans font-semibold">
          How to pay
        </h3>
        <p>{quoteTerms.payment}</p>
        <p className="mt-1">{shop.delivery.terms}</p>
      </section>
    </article>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </>
  );
}

function Lines({ lines }: { lines: readonly QuoteLine[] }) {
  return (
    <table aria-label="Books" className="figures mt-6 w-full text-15">
      <thead className="text-13 text-muted">
        <tr className="border-b border-line-strong">
          <Heading className="text-left">Book</Heading>
          <Heading className="hidden text-right sm:table-cell print:table-cell">Quantity</Heading>
          <Heading className="hidden text-right sm:table-cell print:table-cell">Unit price</Heading>
          <Heading className="text-right">Amount</Heading>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.book_id} line={line} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ line }: { line: QuoteLine }) {
  const price = line.unit_price ?? line.shop_price;
  const shortage = shortageOf(line);
  return (
    <tr className="break-inside-avoid border-b border-line align-top">
      <td className="py-2">
        <p className="font-semibold wrap-anywhere">{line.title}</p>
        {line.isbn && <p className="text-13 text-muted">ISBN {formatIsbn(line.isbn)}</p>}
        {/* The two middle columns, where there is no room for them. */}
        <p className="text-13 sm:hidden print:hidden">
          {line.quantity} × {formatCedis(price)}
        </p>
        {!line.requested && <p className="text-13 text-muted">Added by us</p>}
        {shortage && <p className="text-13 font-semibold text-clay print:hidden">{shortage}</p>}
      </td>
      <td className="hidden py-2 pl-3 text-right sm:table-cell print:table-cell">{line.quantity}</td>
      <td className="hidden py-2 pl-3 text-right sm:table-cell print:table-cell">
        {formatCedis(price)}
        {price < line.shop_price && (
          <s className="block text-13 text-muted">
            <span className="sr-only">instead of </span>
            {formatCedis(line.shop_price)}
          </s>
        )}
      </td>
      <td className="py-2 pl-3 text-right font-semibold">{formatCedis(lineAmount(line))}</td>
    </tr>
  );
}

function Heading({ className, children }: { className: string; children: string }) {
  return (
    <th scope="col" className={`py-1 font-semibold not-first:pl-3 ${className}`}>
      {children}
    </th>
  );
}

function Totals({ lines }: { lines: readonly QuoteLine[] }) {
  const { atShopPrices, discount, total } = quoteTotals(lines);
  return (
    <dl className="figures mt-4 ml-auto grid max-w-xs break-inside-avoid grid-cols-[1fr_auto] gap-x-6 gap-y-1 text-15 [&>dd]:text-right">
      {discount > 0 && (
        <>
          <dt className="text-muted">At shop prices</dt>
          <dd>{formatCedis(atShopPrices)}</dd>
          <dt className="text-muted">Discount</dt>
          <dd className="font-semibold text-green">−{formatCedis(discount)}</dd>
        </>
      )}
      <dt className="text-muted">Delivery</dt>
      <dd className="font-semibold text-green">Free</dd>
      <dt className="mt-2 border-t border-line pt-2 text-17 font-semibold">Total</dt>
      <dd className="mt-2 border-t border-line pt-1 font-display text-25 font-semibold">
        {formatCedis(total)}
      </dd>
    </dl>
  );
}
