import type { Owner } from "#app/features/session/follow-session.ts";
import { createStore } from "#app/lib/create-store.ts";
import { isBackendFailure } from "#app/lib/failure-message.ts";
import { createLatestRequest } from "#app/lib/latest-request.ts";

export type WishlistState = {
  status: "loading" | "signed-out" | "ready" | "failed";
  /** Newest first. */
  bookIds: readonly string[];
};

type WishlistGateway = {
  list(userId: string): Promise<string[]>;
  create(userId: string, bookId: string): Promise<void>;
  remove(userId: string, bookId: string): Promise<void>;
};

/** PostgreSQL's unique_violation. */
export const DUPLICATE = "23505";

/** Titles and descriptions of spec section 8. */
export const wishlistNotices = {
  fetchFailed: ["error", "Error", "Failed to fetch wishlist"],
  signIn: ["error", "Sign in required", "Please sign in to add books to your wishlist"],
  added: ["success", "Added to wishlist", "Book has been added to your wishlist"],
  already: ["info", "Already in wishlist", "This book is already in your wishlist"],
  addFailed: ["error", "Error", "Failed to add to wishlist"],
  removed: ["success", "Removed from wishlist", "Book has been removed from your wishlist"],
  removeFailed: ["error", "Error", "Failed to remove from wishlist"],
} as const;

type WishlistNotice = (typeof wishlistNotices)[keyof typeof wishlistNotices];

type Dependencies = {
  gateway: WishlistGateway;
  onNotice(notice: WishlistNotice, error?: unknown): void;
  /** Called after each change that reached the backend, for the other tabs. */
  onChanged(): void;
};

/** The wishlist of the signed-in user. A heart is toggled immediately and reverted when its write fails. */
export function createWishlistStore({ gateway, onNotice, onChanged }: Dependencies) {
  const { set, ...store } = createStore<WishlistState>({ status: "loading", bookIds: [] });
  let owner: string | null = null;
  const latest = createLatestRequest();
  const pending = new Set<string>();

  function publish(next: Partial<WishlistState>): void {
    set({ ...store.get(), ...next });
  }

  function setOwner(session: Owner) {
    const next = session.status === "signed-in" ? session.userId : null;
    if (next !== null && next === owner) return;
    owner = next;
    latest.markChanged();
    latest.cancel();
    pending.clear();
    publish({ status: session.status === "signed-out" ? "signed-out" : "loading", bookIds: [] });
    if (owner) void load();
  }

  async function load({ quiet = false } = {}): Promise<void> {
    const userId = owner;
    if (!userId) return;
    if (store.get().status === "failed") publish({ status: "loading" });
    const outcome = await latest.run(() => gateway.list(userId));
    if (!outcome) return;
    if ("result" in outcome) {
      publish({ status: "ready", bookIds: outcome.result });
      return;
    }
    if (store.get().status !== "ready") publish({ status: "failed" });
    else if (quiet) return;
    onNotice(wishlistNotices.fetchFailed, outcome.failure);
  }

  /** Adds the book or removes it. A press while the book's last one is pending does nothing. */
  async function toggle(bookId: string): Promise<void> {
    const userId = owner;
    if (!userId || pending.has(bookId)) return;
    const wasOnWishlist = store.get().bookIds.includes(bookId);
    pending.add(bookId);
    setOnWishlist(bookId, !wasOnWishlist);
    try {
      if (wasOnWishlist) await gateway.remove(userId, bookId);
      else await gateway.create(userId, bookId);
      if (owner !== userId) return;
      // Again, because a read during the write did not include it.
      setOnWishlist(bookId, !wasOnWishlist);
      onNotice(wasOnWishlist ? wishlistNotices.removed : wishlistNotices.added);
      onChanged();
    } catch (error) {
      if (owner !== userId) return;
      if (isBackendFailure(error) && error.code === DUPLICATE) {
        setOnWishlist(bookId, true);
        onNotice(wishlistNotices.already);
      } else {
        setOnWishlist(bookId, wasOnWishlist);
        onNotice(wasOnWishlist ? wishlistNotices.removeFailed : wishlistNotices.addFailed, error);
      }
    } finally {
      if (owner === userId) pending.delete(bookId);
    }
  }

  /** Adds the book; one that is already on the list stays. */
  async function add(bookId: string): Promise<void> {
    if (store.get().bookIds.includes(bookId)) onNotice(wishlistNotices.already);
    else await toggle(bookId);
  }

  function setOnWishlist(bookId: string, onWishlist: boolean): void {
    latest.markChanged();
    const others = store.get().bookIds.filter((id) => id !== bookId);
    publish({ bookIds: onWishlist ? [bookId, ...others] : others });
  }

  return {
    ...store,
    setOwner,
    load,
    toggle,
    add,
  };
}
