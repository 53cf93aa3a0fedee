import { formatCediSign, formatCedis } from "#app/lib/money.ts";
import { type CartLine, cartTotal } from "./cart.ts";

/** The same figures in the panel and at checkout. */
export function CartSummary({ lines }: { lines: readonly CartLine[] }) {
  const total = cartTotal(lines);
  return (
    <dl className="figures grid grid-cols-[1fr_auto] gap-y-1 text-15 [&>dd]:text-right">
      <dt className="text-muted">Subtotal</dt>
      <dd>{formatCedis(total)}</dd>
      <dt className="text-muted">Shipping</dt>
      <dd className="font-semibold text-green">Free</dd>
      <dt className="mt-2 border-t border-line pt-3 text-17 font-semibold">Total</dt>
      <dd className="mt-2 border-t border-line pt-2 font-display text-25 font-semibold">
        {formatCediSign(total)}
      </dd>
    </dl>
  );
}
