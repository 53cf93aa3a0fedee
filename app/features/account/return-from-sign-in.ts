import type { NavigateFunction } from "react-router";
import { addBookToCart } from "#app/features/cart/use-cart.ts";
import { historyEntry } from "#app/features/session/sign-in-return.ts";
import { type ReturnPlace, takeReturn } from "#app/features/session/take-return.ts";
import { addStockAlert } from "#app/features/stock-alerts/use-stock-alerts.ts";
import { addToWishlist } from "#app/features/wishlist/use-wishlist.ts";

/** Whether the sign-in happens in this tab and not in another. */
let signingIn = false;

export function startSigningIn(): void {
  signingIn = true;
}

/**
 * Leaves the sign-in page for the shop page that the customer came from, or for /shop. A book whose button they had
 * clicked is added to the cart or wishlist, or a stock alert is requested, once and in one tab.
 */
export async function returnFromSignIn(navigate: NavigateFunction): Promise<void> {
  const page = takeReturn();
  if (!page) return navigate("/shop", { replace: true });
  await goTo(page, navigate);
  if (!signingIn || !page.intent) return;
  signingIn = false;
  const { list, bookId } = page.intent;
  if (list === "cart") await addBookToCart(bookId, 1, () => navigate("/auth"));
  else if (list === "wishlist") await addToWishlist(bookId);
  else await addStockAlert(bookId);
}

async function goTo({ path, top, entry }: ReturnPlace, navigate: NavigateFunction): Promise<void> {
  const here = historyEntry();
  // Going back in the history, where possible, also restores the pages loaded below and the scroll position.
  if (entry !== null && here !== null && entry < here) return navigate(entry - here);
  await navigate(path, { replace: true, preventScrollReset: true });
  requestAnimationFrame(() => window.scrollTo(0, top));
}
