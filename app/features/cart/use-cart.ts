import { useSyncExternalStore } from "react";
import { showToast } from "#app/components/toast.ts";
import { followPerson } from "#app/features/session/follow-person.ts";
import { knownSession } from "#app/features/session/known-session.ts";
import { getBackend } from "#app/features/session/session-store.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { logFailure, sentenceOf } from "#app/lib/backend-failure.ts";
import * as queries from "./cart.queries.ts";
import { openCartPanel } from "./cart-panel-store.ts";
import { type CartState, cartMessages, createCartStore, initialCart } from "./cart-store.ts";

const withBackend =
  <Args extends unknown[], Result>(query: (client: BackendClient, ...args: Args) => Promise<Result>) =>
  async (...args: Args) =>
    query(await getBackend(), ...args);

/** The cart of this tab. */
export const cart = createCartStore({
  gateway: {
    list: withBackend(queries.listCartLines),
    add: withBackend(queries.addToCart),
    update: withBackend(queries.updateCartLine),
    remove: withBackend(queries.removeCartLine),
    clear: withBackend(queries.removeCartLines),
  },
  onSuccess(message) {
    const action =
      message === cartMessages.added ? { label: "View Cart", onClick: openCartPanel } : undefined;
    showToast("success", message, { action });
  },
  onFailure(message, error) {
    logFailure(message, error);
    showToast("error", message, { description: sentenceOf(error) ?? undefined });
  },
  onChanged: () => person.announce(),
});

const person = followPerson(cart, "adwene-cart");

/** The cart as React state; the first render is always `loading`, as on the server. */
export function useCart(): CartState {
  return useSyncExternalStore(person.subscribe, cart.get, () => initialCart);
}

/**
 * Adds a book for whoever is signed in; a visitor is asked to sign in.
 * @param signIn leads to the sign-in page
 */
export async function addBookToCart(bookId: string, quantity: number, signIn: () => void): Promise<void> {
  const session = await knownSession();
  if (session.status === "signed-in") {
    person.start();
    await cart.add(bookId, quantity);
  } else {
    showToast("error", "Please sign in to add items to cart", {
      action: { label: "Sign In", onClick: signIn },
    });
  }
}

/** After an order was placed: the database has emptied the cart, and it shows here and in the other tabs. */
export function showOrderedCart(): void {
  person.announce();
  void cart.showOrdered();
}
