import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import type { CartBook } from "./cart.ts";
import { addBookToCart } from "./use-cart.ts";

type AddToCartButtonProps = {
  book: Pick<CartBook, "id" | "title" | "stock_quantity">;
  className?: string;
};

/**
 * Puts one copy into the cart. Until the page is alive it is a form that leads to the sign-in page, so that no tap
 * is lost; the words for visitors and members are chosen by the page's style, before anything runs.
 */
export function AddToCartButton({ book, className = "" }: AddToCartButtonProps) {
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();

  if (book.stock_quantity <= 0) {
    return (
      <Button disabled className={`w-full ${className}`}>
        Out of Stock<span className="sr-only">: {book.title}</span>
      </Button>
    );
  }

  async function add(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    await addBookToCart(book.id, 1, () => navigate("/auth"));
    setBusy(false);
  }

  return (
    <form action="/auth" onSubmit={add} className={className}>
      <Button type="submit" busy={busy} className="w-full">
        <span className="visitor-only">Sign In to Add</span>
        <span className="member-only">{busy ? "Adding…" : "Add to Cart"}</span>
        <span className="sr-only">: {book.title}</span>
      </Button>
    </form>
  );
}
