import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { unavailableWords } from "#app/features/books/left-words.ts";
import { intentAttribute } from "#app/features/session/sign-in-return.ts";
import type { CartBook } from "./cart.ts";
import { addBookToCart } from "./use-cart.ts";

type AddToCartButtonProps = {
  book: Pick<CartBook, "id" | "title" | "stock_quantity">;
  /** Copies; a visitor gets one, and chooses the rest once they are signed in. */
  quantity?: number;
  className?: string;
};

/**
 * Adds copies to the cart. Until hydration it is a form that leads to the sign-in page, so that no click is lost; CSS
 * chooses the text for visitors or members before any script runs.
 */
export function AddToCartButton({ book, quantity = 1, className }: AddToCartButtonProps) {
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();

  if (book.stock_quantity <= 0) {
    return (
      <div className={className}>
        <Button disabled className="w-full">
          {book.stock_quantity < 0 ? unavailableWords(book.stock_quantity) : "Out of Stock"}
          <span className="sr-only">{`: ${book.title}`}</span>
        </Button>
      </div>
    );
  }

  async function add(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    await addBookToCart(book.id, quantity, () => navigate("/auth"));
    setBusy(false);
  }

  return (
    <form action="/auth" onSubmit={add} className={className} {...intentAttribute("cart")}>
      <Button type="submit" busy={busy} className="w-full max-sm:px-2!">
        <span className="visitor-only">Sign In to Add</span>
        <span className="member-only">{busy ? "Adding…" : "Add to Cart"}</span>
        <span className="sr-only">{`: ${book.title}`}</span>
      </Button>
    </form>
  );
}
