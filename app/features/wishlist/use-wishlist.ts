import { showNotice } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { followSession } from "#app/features/session/follow-session.ts";
import { forgetReturn, rememberIntent } from "#app/features/session/sign-in-return.ts";
import { waitForSession } from "#app/features/session/wait-for-session.ts";
import { useStore } from "#app/lib/create-store.ts";
import { logFailure } from "#app/lib/failure-message.ts";
import { createWishlistStore, type WishlistState, wishlistNotices } from "./wishlist-store.ts";

/** Fetched together with the backend client, for members only. */
const loadQueries = () => Promise.all([import("./wishlist.queries.ts"), getBackend()]);

const wishlist = createWishlistStore({
  gateway: {
    async list(userId) {
      const [{ listWishlistBookIds }, backend] = await loadQueries();
      return listWishlistBookIds(backend, userId);
    },
    async create(userId, bookId) {
      const [{ createWishlistEntry }, backend] = await loadQueries();
      return createWishlistEntry(backend, userId, bookId);
    },
    async remove(userId, bookId) {
      const [{ removeWishlistEntry }, backend] = await loadQueries();
      return removeWishlistEntry(backend, userId, bookId);
    },
  },
  onNotice([tone, title, description], error) {
    if (error !== undefined) logFailure(description, error);
    showNotice(tone, title, description);
  },
  onChanged: () => shared.announce(),
});

const shared = followSession(wishlist, "adwene-wishlist");

/** The first render is always `loading`, as on the server. */
export function useWishlist(): WishlistState {
  return useStore(shared);
}

/** Whether a book is on the list; only that book's heart re-renders when it changes. */
export function useIsOnWishlist(bookId: string): boolean {
  return useStore(shared, ({ bookIds }) => bookIds.includes(bookId));
}

export function reloadWishlist(): void {
  void wishlist.load();
}

/** Toggles a book for the signed-in user; a visitor is asked to sign in, and it is toggled once they have. */
export async function toggleWishlist(bookId: string): Promise<void> {
  const session = await waitForSession();
  if (session.status === "signed-in") {
    forgetReturn();
    await wishlist.toggle(bookId);
    return;
  }
  rememberIntent({ list: "wishlist", bookId });
  showNotice(...wishlistNotices.signIn);
}

/** Adds a book to the wishlist after a sign-in; one that is already on it stays. */
export async function addToWishlist(bookId: string): Promise<void> {
  shared.start();
  await wishlist.add(bookId);
}
