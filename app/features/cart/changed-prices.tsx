import type { CardBook } from "#app/features/books/book-fields.ts";
import { formatCedis } from "#shared/text/money.ts";
import { useCart } from "./use-cart.ts";

/** A book with the price that the page shows. */
export type ShownPrice = Pick<CardBook, "id" | "title" | "price">;

/** Names the books whose price in the cart differs from the one on this page, which may have been open for a while. */
export function ChangedPrices({ shown }: { shown: readonly ShownPrice[] }) {
  const { lines } = useCart();
  const now = new Map(lines.map(({ book }) => [book.id, book.price]));
  const changed = shown.filter(({ id, price }) => now.has(id) && now.get(id) !== price);
  if (changed.length === 0) return null;
  return (
    <>
      <p className="mt-2 font-semibold">Prices have changed since you opened this page:</p>
      <ul className="list-disc pl-5">
        {changed.map(({ id, title, price }) => (
          <li key={id} className="figures wrap-anywhere">
            <bdi>{title}</bdi> now costs {formatCedis(now.get(id) ?? price)}, not {formatCedis(price)}.
          </li>
        ))}
      </ul>
    </>
  );
}
