import { formatCediSign, formatCedis, type Pesewas, sumPesewas } from "#app/lib/money.ts";
import { shop } from "#app/shop.ts";
import { type CartLine, cartTotal } from "./cart.ts";

/** The same figures in the panel and at checkout, which adds what delivery costs; without a fee it is free. */
export function CartSummary({ lines, deliveryFee }: { lines: readonly CartLine[]; deliveryFee?: Pesewas }) {
  const total = cartTotal(lines);
  const isFree = deliveryFee === undefined ? shop.delivery.fees.length === 0 : deliveryFee === 0;
  return (
    <dl className="figures grid grid-cols-[1fr_auto] gap-y-1 text-15 [&>dd]:text-right">
      <dt className="text-muted">Subtotal</dt>
      <dd>{formatCedis(total)}</dd>
      <dt className="text-muted">Shipping</dt>
      {deliveryFee ? (
        <dd>{formatCedis(deliveryFee)}</dd>
      ) : (
        <dd className="font-semibold text-green">{isFree ? "Free" : "At checkout"}</dd>
      )}
      <dt className="mt-2 border-t border-line pt-3 text-17 font-semibold">Total</dt>
      <dd className="mt-2 border-t border-line pt-2 font-display text-25 font-semibold">
        {formatCediSign(sumPesewas([total, deliveryFee ?? (0 as Pesewas)]))}
      </dd>
    </dl>
  );
}
