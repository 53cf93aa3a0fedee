import type { Owner } from "#app/features/session/follow-person.ts";
import { BackendFailure } from "#app/lib/backend-failure.ts";
import { createLatest } from "#app/lib/latest.ts";

export type WishlistState = {
  status: "loading" | "signed-out" | "ready" | "failed";
  /** The newest wish first. */
  bookIds: readonly string[];
};

export type WishlistGateway = {
  list(userId: string): Promise<string[]>;
  create(userId: string, bookId: string): Promise<void>;
  remove(userId: string, bookId: string): Promise<void>;
};

/** The database's code for a second row where only one may be. */
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

export type WishlistNotice = (typeof wishlistNotices)[keyof typeof wishlistNotices];

type Surroundings = {
  gateway: WishlistGateway;
  onNotice(notice: WishlistNotice, error?: unknown): void;
  /** Called after each change that reached the backend, for the other tabs. */
  onChanged(): void;
};

/** Before anything is known: what the server renders. */
export const initialWishlist: WishlistState = { status: "loading", bookIds: [] };

/** The wishlist of whoever is signed in. A heart turns at once and turns back when its write fails. */
export function createWishlistStore({ gateway, onNotice, onChanged }: Surroundings) {
  let state = initialWishlist;
  let owner: string | null = null;
  const latest = createLatest();
  const turning = new Set<string>();
  const listeners = new Set<() => void>();

  function publish(next: Partial<WishlistState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  function setOwner(session: Owner) {
    const next = session.status === "signed-in" ? session.userId : null;
    if (next !== null && next === owner) return;
    owner = next;
    latest.markChanged();
    latest.forget();
    turning.clear();
    publish({ status: session.status === "signed-out" ? "signed-out" : "loading", bookIds: [] });
    if (owner) void load();
  }

  async function load({ quiet = false } = {}): Promise<void> {
    const userId = owner;
    if (!userId) return;
    if (state.status === "failed") publish({ status: "loading" });
    const read = await latest.ask(() => gateway.list(userId));
    if (!read) return;
    if ("answer" in read) {
      publish({ status: "ready", bookIds: read.answer });
      return;
    }
    if (state.status !== "ready") publish({ status: "failed" });
    else if (quiet) return;
    onNotice(wishlistNotices.fetchFailed, read.failure);
  }

  /** Puts the book on the list, or takes it off. A press while its last one still runs does nothing. */
  async function toggle(bookId: string): Promise<void> {
    const userId = owner;
    if (!userId || turning.has(bookId)) return;
    const wasWished = state.bookIds.includes(bookId);
    turning.add(bookId);
    setWished(bookId, !wasWished);
    try {
      if (wasWished) await gateway.remove(userId, bookId);
      else await gateway.create(userId, bookId);
      if (owner !== userId) return;
      // Once more: what was read while the write was on its way did not know of it.
      setWished(bookId, !wasWished);
      onNotice(wasWished ? wishlistNotices.removed : wishlistNotices.added);
      onChanged();
    } catch (error) {
      if (owner !== userId) return;
      if (error instanceof BackendFailure && error.code === DUPLICATE) {
        setWished(bookId, true);
        onNotice(wishlistNotices.already);
      } else {
        setWished(bookId, wasWished);
        onNotice(wasWished ? wishlistNotices.removeFailed : wishlistNotices.addFailed, error);
      }
    } finally {
      if (owner === userId) turning.delete(bookId);
    }
  }

  function setWished(bookId: string, wished: boolean): void {
    latest.markChanged();
    const others = state.bookIds.filter((id) => id !== bookId);
    publish({ bookIds: wished ? [bookId, ...others] : others });
  }

  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setOwner,
    load,
    toggle,
  };
}
