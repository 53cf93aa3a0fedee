import { useState } from "react";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { useSession } from "#app/features/session/session.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { readWishlistBooks } from "./read-wishlist.ts";
import { reloadWishlist, useWishlist } from "./use-wishlist.ts";

/** Books per request: their ids are in its URL. */
const STEP = 24;

/**
 * The wishlist's books shown so far, newest first. Removed books disappear immediately; a failed read is only logged
 * (spec section 8) and can be retried.
 */
export function useWishlistBooks() {
  const { status, bookIds } = useWishlist();
  const session = useSession();
  const userId = session.status === "signed-in" ? session.user.id : "";
  const [limit, setLimit] = useState(STEP);
  const [loaded, setLoaded] = useState<ReadonlyMap<string, CardBook | null>>(new Map());
  const shownIds = bookIds.slice(0, limit);
  const missing = shownIds.filter((id) => !loaded.has(id)).slice(0, STEP);

  const reading = useRead(missing.join() || null, () => readWishlistBooks(userId, missing), {
    onResult(books) {
      const found = new Map(books.map((book) => [book.id, book]));
      setLoaded(
        (before) => new Map([...before, ...missing.map((id) => [id, found.get(id) ?? null] as const)]),
      );
    },
    onFailure: (error) => logFailure("Failed to fetch the wishlist's books", error),
  });
  const failed = reading.status === "failed";

  return {
    status: failed
      ? "failed"
      : status === "ready" && missing.length > 0 && loaded.size === 0
        ? "loading"
        : status,
    isEmpty: bookIds.length === 0,
    books: shownIds.flatMap((id) => loaded.get(id) ?? []),
    hasMore: bookIds.length > limit,
    showMore: () => setLimit((count) => count + STEP),
    tryAgain() {
      if (status === "failed") reloadWishlist();
      reading.retry();
    },
  } as const;
}
