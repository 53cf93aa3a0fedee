import { useState } from "react";
import type { ShownPrice } from "#app/features/cart/changed-prices.tsx";
import { useAddMany } from "#app/features/cart/use-add-many.ts";
import { addBooksToCart } from "./bulk-order.queries.ts";
import { type ReadyTitle, withoutAdded } from "./pad.ts";
import type { PadAddedNote } from "./pad-added-note.tsx";
import { changePad, pad } from "./pad-store.ts";

/** What the last call put into the cart, the titles that have since run short, the prices shown, and what shows it. */
export type Added = {
  titles: number;
  copies: number;
  short: string[];
  shown: ShownPrice[];
  Note: typeof PadAddedNote;
};

/** Puts the titles into the cart in one call; whatever the cart refused stays on the pad. */
export function useBulkOrder() {
  const [added, setAdded] = useState<Added | null>(null);
  const { adding, addMany } = useAddMany("/bulk-order");

  async function add(ready: readonly ReadyTitle[]): Promise<void> {
    setAdded(null);
    // The same id in every tab until the lines change.
    const requestId = `pad ${pad.get().changedAt}`;
    const requested = ready.map(({ book, adding: quantity }) => ({ bookId: book.id, quantity }));
    const outcome = await addMany(async (client) => {
      const { PadAddedNote } = await import("./pad-added-note.tsx");
      return { additions: await addBooksToCart(client, requested, requestId), Note: PadAddedNote };
    });
    if (!outcome) return;
    const { additions, Note } = outcome;
    const byBook = new Map(additions.map((addition) => [addition.bookId, addition]));
    changePad(withoutAdded(pad.get().lines, ready, byBook));
    setAdded({
      titles: additions.filter((one) => one.added > 0).length,
      copies: additions.reduce((sum, one) => sum + one.added, 0),
      short: ready
        .filter(({ book }) => byBook.get(book.id)?.problem === "few_left")
        .map(({ book }) => book.title),
      shown: ready.map(({ book }) => book),
      Note,
    });
  }

  return { add, adding, added, forgetAdded: () => setAdded(null) };
}
