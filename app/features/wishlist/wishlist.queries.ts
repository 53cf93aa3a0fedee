import { CARD_COLUMNS, type CardBook } from "#app/features/books/book-fields.ts";
import type { BookListGateway } from "#app/features/own-lists/book-list-store.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { inPesewas } from "#shared/text/money.ts";

/** The wishlist in the database; the same book twice is refused with 23505, and one that is no longer there counts as removed. */
export const openWishlist = (client: BackendClient): BookListGateway => ({
  // Newest first; the database limits them to the rows of one response.
  async list(userId) {
    const rows = unwrap(
      await client
        .from("wishlists")
        .select("book_id")
        .eq("user_id", userId)
        .order("created_at", { ascending: false })
        .order("book_id"),
    );
    return rows.map(({ book_id }) => book_id);
  },
  async create(user_id, book_id) {
    unwrap(await client.from("wishlists").insert({ user_id, book_id }).select("book_id").single());
  },
  async remove(userId, bookId) {
    unwrap(
      await client.from("wishlists").delete().eq("user_id", userId).eq("book_id", bookId).select("book_id"),
    );
  },
});

/**
 * Books by id, in the order of the ids; those no longer sold are missing. At most 100 ids: they are in the URL.
 * @throws BackendFailure
 */
export async function listBooksByIds(client: BackendClient, ids: readonly string[]): Promise<CardBook[]> {
  if (ids.length === 0) return [];
  const books = unwrap(await client.from("books").select(CARD_COLUMNS).in("id", ids));
  const byId = new Map(books.map((book) => [book.id, inPesewas(book, "price")]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
