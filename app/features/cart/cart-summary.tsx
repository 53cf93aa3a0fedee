import type { ReactNode } from "react";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { BY_DOWNLOAD } from "#shared/orders/by-download.ts";
import { formatCediSign, formatCedis, type Pesewas, sumPesewas } from "#shared/text/money.ts";
import { type CartLine, cartTotal, isDownloaded } from "./cart.ts";

const unknown: Record<string, string> = {
  "at-checkout": "At checkout",
  loading: "Working it out…",
  failed: "Not known yet",
  "needs-region": "Choose a region",
};

/** The delivery fee, 0 if it is free, or why it isn't known yet; for a quote, the words themselves, because few pages need them. */
export type Shipping = Pesewas | "at-checkout" | "loading" | "failed" | "needs-region" | "Shown in the quote";

/** Before the checkout, delivery is free unless the owner has fees. */
const beforeCheckout = (): Shipping =>
  currentShop().deliveryFees.length === 0 ? (0 as Pesewas) : "at-checkout";

const nothing = 0 as Pesewas;

type CartSummaryProps = { lines: readonly CartLine[]; shipping?: Shipping };

/**
 * The same amounts in the panel and at checkout, which adds the delivery fee. While the fee is unknown, the total is shown
 * as a minimum. Digital titles alone need no delivery.
 */
export function CartSummary({ lines, ...props }: CartSummaryProps) {
  const downloaded = isDownloaded(lines);
  const shipping = downloaded ? nothing : (props.shipping ?? beforeCheckout());
  const books = cartTotal(lines);
  const total = typeof shipping === "number" ? sumPesewas([books, shipping]) : books;
  return (
    <dl className="figures grid grid-cols-[1fr_auto] gap-y-1 text-15 [&>dd]:text-right">
      <dt className="text-muted">Subtotal</dt>
      <dd>{formatCedis(books)}</dd>
      <dt className="text-muted">Shipping</dt>
      <dd>{downloaded ? BY_DOWNLOAD : shippingText(shipping)}</dd>
      <dt className="mt-2 border-t border-line pt-3 text-17 font-semibold">Total</dt>
      <dd className="mt-2 border-t border-line pt-2 font-display text-25 font-semibold">
        {typeof shipping === "string" && (
          <span className="font-sans text-15 font-normal text-muted">from </span>
        )}
        {formatCediSign(total)}
      </dd>
    </dl>
  );
}

/** The fee, or why it is not known yet. */
export function shippingText(shipping: Shipping): ReactNode {
  if (typeof shipping === "string")
    return <span className="text-muted">{unknown[shipping] ?? shipping}</span>;
  return shipping > 0 ? formatCedis(shipping) : <span className="font-semibold text-green">Free</span>;
}
