import { useEffect, useState } from "react";
import type { CardBook } from "#app/features/books/book.ts";
import { getBackend } from "#app/features/session/session-store.ts";
import { logFailure } from "#app/lib/backend-failure.ts";
import { reloadWishlist, useWishlist } from "./use-wishlist.ts";
import { listBooksByIds } from "./wishlist.queries.ts";

/** Books read at once: their ids travel in an address. */
const STEP = 24;

/**
 * The books of the wishlist as far as they are shown, the newest wish first. Books taken off go at once; a
 * failing read is only logged (spec section 8) and can be tried again.
 */
export function useWishedBooks() {
  const { status, bookIds } = useWishlist();
  const [wanted, setWanted] = useState(STEP);
  const [failed, setFailed] = useState(false);
  const [known, setKnown] = useState<ReadonlyMap<string, CardBook | null>>(new Map());
  const shownIds = bookIds.slice(0, wanted);
  const missing = shownIds.filter((id) => !known.has(id)).join();

  useEffect(() => {
    if (!missing || failed) return;
    let current = true;
    const ids = missing.split(",").slice(0, STEP);
    getBackend()
      .then((client) => listBooksByIds(client, ids))
      .then(
        (books) => {
          if (!current) return;
          const found = new Map(books.map((book) => [book.id, book]));
          setKnown(
            (before) => new Map([...before, ...ids.map((id) => [id, found.get(id) ?? null] as const)]),
          );
        },
        (error) => {
          logFailure("Failed to fetch the wishlist's books", error);
          if (current) setFailed(true);
        },
      );
    return () => {
      current = false;
    };
  }, [missing, failed]);

  return {
    status: failed ? "failed" : status === "ready" && missing && known.size === 0 ? "loading" : status,
    isEmpty: bookIds.length === 0,
    books: shownIds.flatMap((id) => known.get(id) ?? []),
    hasMore: bookIds.length > wanted,
    showMore: () => setWanted((count) => count + STEP),
    tryAgain() {
      if (status === "failed") reloadWishlist();
      setFailed(false);
    },
  } as const;
}
