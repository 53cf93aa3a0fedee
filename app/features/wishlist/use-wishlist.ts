import { useSyncExternalStore } from "react";
import { showNotice } from "#app/components/toast.ts";
import { followPerson } from "#app/features/session/follow-person.ts";
import { knownSession } from "#app/features/session/known-session.ts";
import { getBackend } from "#app/features/session/session-store.ts";
import { logFailure } from "#app/lib/backend-failure.ts";
import { createWish, listWishedBookIds, removeWish } from "./wishlist.queries.ts";
import {
  createWishlistStore,
  initialWishlist,
  type WishlistState,
  wishlistNotices,
} from "./wishlist-store.ts";

/** The wishlist of this tab. */
const wishlist = createWishlistStore({
  gateway: {
    list: async (userId) => listWishedBookIds(await getBackend(), userId),
    create: async (userId, bookId) => createWish(await getBackend(), userId, bookId),
    remove: async (userId, bookId) => removeWish(await getBackend(), userId, bookId),
  },
  onNotice([tone, title, description], error) {
    if (error !== undefined) logFailure(description, error);
    showNotice(tone, title, description);
  },
  onChanged: () => person.announce(),
});

const person = followPerson(wishlist, "adwene-wishlist");

/** The wishlist as React state; the first render is always `loading`, as on the server. */
export function useWishlist(): WishlistState {
  return useSyncExternalStore(person.subscribe, wishlist.get, () => initialWishlist);
}

/** Whether a book is on the list; only its own heart draws anew when it changes. */
export function useWished(bookId: string): boolean {
  return useSyncExternalStore(
    person.subscribe,
    () => wishlist.get().bookIds.includes(bookId),
    () => false,
  );
}

/** Reads the list again after a failure. */
export function reloadWishlist(): void {
  void wishlist.load();
}

/** Turns a book's heart for whoever is signed in; a visitor is told to sign in. */
export async function toggleWish(bookId: string): Promise<void> {
  const session = await knownSession();
  if (session.status === "signed-in") await wishlist.toggle(bookId);
  else showNotice(...wishlistNotices.signIn);
}
