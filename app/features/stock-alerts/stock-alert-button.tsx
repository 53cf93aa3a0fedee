import type { FormEvent } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { intentAttribute } from "#app/features/session/sign-in-return.ts";
import { toggleStockAlert, useIsWaitingFor } from "./use-stock-alerts.ts";

/** Its stock is what customers can order. */
export type WaitedForBook = { id: string; title: string; stock_quantity: number };

/**
 * For a book that is sold out or coming soon: requests an email when it is there, or cancels the request. Until hydration the button
 * leads to the sign-in page.
 */
export function StockAlertButton({ book }: { book: WaitedForBook }) {
  const left = book.stock_quantity;
  return left > 0 || left < -1 ? null : <AlertForm book={book} />;
}

/** Also for a book that is no longer sold: its request can be cancelled. */
export function AlertForm({ book }: { book: WaitedForBook }) {
  const isWaiting = useIsWaitingFor(book.id);
  const navigate = useNavigate();

  function toggle(event: FormEvent) {
    event.preventDefault();
    toggleStockAlert(book.id, () => navigate("/auth"));
  }

  return (
    <form action="/auth" onSubmit={toggle} className="stock-alert" {...intentAttribute("stock-alerts")}>
      {isWaiting && "We'll email you."}
      <Button type="submit" variant="quiet" size="small" className="-mx-2 px-2! text-left max-sm:text-13!">
        {isWaiting ? "Undo" : `Email me when it's ${book.stock_quantity < 0 ? "here" : "back"}`}
        <span className="sr-only">{`: ${book.title}`}</span>
      </Button>
    </form>
  );
}
