import { useState } from "react";
import { controlClass } from "#app/components/control.ts";
import { AddToCartButton } from "#app/features/cart/add-to-cart-button.tsx";
import { MAX_QUANTITY, parseQuantity } from "#app/features/cart/cart.ts";
import { bookAttribute } from "#app/features/session/sign-in-return.ts";
import { StockAlertButton } from "#app/features/stock-alerts/stock-alert-button.tsx";
import { WishlistHeart } from "#app/features/wishlist/wishlist-heart.tsx";

type BuyBookProps = { book: { id: string; title: string; stock_quantity: number } };

/** How many copies, into the cart or onto the wishlist. */
export function BuyBook({ book }: BuyBookProps) {
  const [typed, setTyped] = useState("1");
  const most = Math.min(MAX_QUANTITY, book.stock_quantity);
  const quantity = Math.min(Math.max(parseQuantity(typed) ?? 1, 1), most);
  return (
    <div className="flex flex-wrap items-center gap-3" {...bookAttribute(book.id)}>
      {most > 0 && (
        <input
          type="number"
          min={1}
          max={most}
          aria-label={`Quantity of ${book.title}`}
          className={`${controlClass} member-only w-20!`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => setTyped(String(quantity))}
        />
      )}
      <AddToCartButton book={book} quantity={quantity} className="min-w-40 grow sm:min-w-48 sm:grow-0" />
      <WishlistHeart book={book} />
      <StockAlertButton book={book} />
    </div>
  );
}
