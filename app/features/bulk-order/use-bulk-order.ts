import { useState } from "react";
import { useAddMany } from "#app/features/cart/use-add-many.ts";
import { addBooksToCart } from "./bulk-order.queries.ts";
import { type ReadyTitle, withoutAdded } from "./pad.ts";
import { changePad, pad } from "./pad-store.ts";

/** What the last call has put into the cart, and the titles of which fewer are left by now. */
export type Added = { titles: number; copies: number; short: string[] };

/** Puts the titles into the cart in one call; what the cart did not take stays on the pad. */
export function useBulkOrder() {
  const [added, setAdded] = useState<Added | null>(null);
  const { adding, addMany } = useAddMany("/bulk-order");

  async function add(ready: readonly ReadyTitle[]): Promise<void> {
    setAdded(null);
    const wanted = ready.map(({ book, adding: quantity }) => ({ bookId: book.id, quantity }));
    const additions = await addMany((client) => addBooksToCart(client, wanted));
    if (!additions) return;
    const byBook = new Map(additions.map((addition) => [addition.bookId, addition]));
    changePad(withoutAdded(pad.get().lines, ready, byBook));
    setAdded({
      titles: additions.filter((one) => one.added > 0).length,
      copies: additions.reduce((sum, one) => sum + one.added, 0),
      short: ready
        .filter(({ book }) => byBook.get(book.id)?.problem === "few_left")
        .map(({ book }) => book.title),
    });
  }

  return { add, adding, added, forgetAdded: () => setAdded(null) };
}
