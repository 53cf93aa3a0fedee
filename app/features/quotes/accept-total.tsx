import { type Shipping, shippingText } from "#app/features/cart/cart-summary.tsx";
import { deliveryPriceWords, isIncluded, quotedDestination } from "#shared/orders/quote-delivery.ts";
import { formatCedis, type Pesewas, sumPesewas } from "#shared/text/money.ts";
import type { OwnQuote } from "./quote.queries.ts";

type AcceptTotalProps = {
  quote: OwnQuote;
  books: Pesewas;
  shipping: Shipping;
  /** Whether it is delivered as the quote says, at the quote's fee. */
  isAsQuoted: boolean;
};

/** What the order costs with the delivery that is chosen, shown before it is placed. */
export function AcceptTotal({ quote, books, shipping, isAsQuoted }: AcceptTotalProps) {
  const quoted = quote.delivery_fee ?? null;
  const words = isAsQuoted || isIncluded(quote) ? deliveryPriceWords(quote, quoted) : null;
  return (
    <div aria-live="polite" className="mt-6 max-w-sm">
      <dl className="figures grid grid-cols-[1fr_auto] gap-y-1 text-15 [&>dd]:text-right">
        <dt className="text-muted">Books</dt>
        <dd>{formatCedis(books)}</dd>
        <dt className="text-muted">Delivery</dt>
        <dd>{words ?? shippingText(shipping)}</dd>
        <dt className="mt-2 border-t border-line pt-3 text-17 font-semibold">Total</dt>
        <dd className="mt-2 border-t border-line pt-2 font-display text-25 font-semibold">
          {typeof shipping === "number" ? formatCedis(sumPesewas([books, shipping])) : "–"}
        </dd>
      </dl>
      {!isAsQuoted && typeof shipping === "number" && (
        <p className="mt-2 text-15 text-muted">
          You've changed the delivery from the one we quoted ({quotedDestination(quote)}), so our usual
          delivery fee applies.
        </p>
      )}
    </div>
  );
}
