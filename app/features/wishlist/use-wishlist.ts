import { showNotice } from "#app/components/toast.ts";
import type { BookListState } from "#app/features/own-lists/book-list-store.ts";
import { createOwnBookList } from "#app/features/own-lists/own-book-list.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { useStore } from "#app/lib/react/create-store.ts";

const wishlist = createOwnBookList({
  list: "wishlist",
  loadGateway: async () => (await import("./read-wishlist.ts")).wishlistGateway,
  // Titles and descriptions of spec section 8.
  notices: {
    fetchFailed: ["error", "Error", "Failed to fetch wishlist"],
    added: ["success", "Added to wishlist", "Book has been added to your wishlist"],
    already: ["info", "Already in wishlist", "This book is already in your wishlist"],
    addFailed: ["error", "Error", "Failed to add to wishlist"],
    removed: ["success", "Removed from wishlist", "Book has been removed from your wishlist"],
    removeFailed: ["error", "Error", "Failed to remove from wishlist"],
  },
  onNotice([tone, title, description], error) {
    if (error !== undefined) logFailure(description, error);
    showNotice(tone, title, description);
  },
});

/** The first render is always `loading`, as on the server. */
export function useWishlist(): BookListState {
  return useStore(wishlist);
}

export function useWishlistCount(): number {
  return useStore(wishlist, ({ bookIds }) => bookIds.length);
}

/** Whether a book is on the list; only that book's heart re-renders when it changes. */
export function useIsOnWishlist(bookId: string): boolean {
  return useStore(wishlist, ({ bookIds }) => bookIds.includes(bookId));
}

export const reloadWishlist = wishlist.reload;
export const addToWishlist = wishlist.add;

export function toggleWishlist(bookId: string): void {
  void wishlist.toggle(bookId, () =>
    showNotice("error", "Sign in required", "Please sign in to add books to your wishlist"),
  );
}
