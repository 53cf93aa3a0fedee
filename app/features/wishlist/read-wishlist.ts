import type { CardBook } from "#app/features/books/book-fields.ts";
import { findCopy, readOrSaved } from "#app/features/offline/saved-copy.ts";
import type { BookListGateway } from "#app/features/own-lists/book-list-store.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { listBooksByIds, openWishlist } from "./wishlist.queries.ts";

const BOOKS = "wishlist-books";
/** A few pages of the wishlist. */
const MAX_BOOKS = 100;

const open = async () => openWishlist(await getBackend());

/** The wishlist in the database, or its saved copy while the shop is unreachable. */
export const wishlistGateway: BookListGateway = {
  list: (userId) => readOrSaved("wishlist", userId, async () => (await open()).list(userId)),
  async create(userId, bookId) {
    requireConnection();
    return (await open()).create(userId, bookId);
  },
  async remove(userId, bookId) {
    requireConnection();
    return (await open()).remove(userId, bookId);
  },
};

/** Books of the wishlist; while the shop is unreachable, those shown before. */
export async function readWishlistBooks(userId: string, ids: readonly string[]): Promise<CardBook[]> {
  const books = await readOrSaved(BOOKS, userId, async () => {
    const read = await listBooksByIds(await getBackend(), ids);
    const earlier = findCopy<CardBook[]>(BOOKS, userId)?.value ?? [];
    return [...read, ...earlier.filter(({ id }) => !ids.includes(id))].slice(0, MAX_BOOKS);
  });
  return books.filter(({ id }) => ids.includes(id));
}
