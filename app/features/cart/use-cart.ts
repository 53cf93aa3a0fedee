import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { followSession } from "#app/features/session/follow-session.ts";
import { waitForSession } from "#app/features/session/session.ts";
import { forgetReturn, rememberIntent } from "#app/features/session/sign-in-return.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import { openCartPanel } from "./cart-panel-store.ts";
import { type CartState, cartMessages, createCartStore } from "./cart-store.ts";

/** Fetched together with the backend client, for members only. */
async function loadQueries() {
  requireConnection();
  return Promise.all([import("./cart.queries.ts"), getBackend()]);
}

export const cart = createCartStore({
  gateway: {
    async list(userId) {
      const { readCart } = await import("./read-cart.ts");
      return readCart(userId);
    },
    async add(bookId, quantity) {
      const [{ addToCart }, backend] = await loadQueries();
      return addToCart(backend, bookId, quantity);
    },
    async update(userId, lineId, quantity) {
      const [{ updateCartLine }, backend] = await loadQueries();
      return updateCartLine(backend, userId, lineId, quantity);
    },
    async remove(userId, lineId) {
      const [{ removeCartLine }, backend] = await loadQueries();
      return removeCartLine(backend, userId, lineId);
    },
    async clear(userId) {
      const [{ removeCartLines }, backend] = await loadQueries();
      return removeCartLines(backend, userId);
    },
  },
  onSuccess(message) {
    const action =
      message === cartMessages.added ? { label: "View Cart", onClick: openCartPanel } : undefined;
    showToast("success", message, { action });
  },
  onFailure(message, error) {
    logFailure(message, error);
    showToast("error", message, { description: customerMessage(error) ?? undefined });
  },
  onChanged: () => shared.announce(),
});

const shared = followSession(cart, "adwene-cart");

/** The first render is always `loading`, as on the server. */
export function useCart(): CartState {
  return useStore(shared);
}

/**
 * Adds a book to the signed-in user's cart; a visitor is asked to sign in, and it is added once they have.
 * @param signIn opens the sign-in page
 */
export async function addBookToCart(bookId: string, quantity: number, signIn: () => void): Promise<void> {
  const session = await waitForSession();
  if (session.status === "signed-in") {
    forgetReturn();
    shared.start();
    await cart.add(bookId, quantity);
  } else {
    rememberIntent({ list: "cart", bookId });
    showToast("error", "Please sign in to add items to cart", {
      action: { label: "Sign In", onClick: signIn },
    });
  }
}

/** After a call that added many books: this tab and the others show them. */
export function showAddedToCart(): Promise<void> {
  shared.announce();
  return cart.load({ quiet: true });
}

/** After an order: the database has emptied the cart, and this tab and the others show it. */
export function showOrderedCart(): void {
  shared.announce();
  void cart.showOrdered();
}
