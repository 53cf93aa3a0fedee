import { CARD_COLUMNS, type CardBook } from "#app/features/books/book.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-failure.ts";

/**
 * Ids of the books that a person wishes for, the newest wish first; the database keeps them within the rows of one
 * answer.
 * @throws BackendFailure
 */
export async function listWishedBookIds(client: BackendClient, userId: string): Promise<string[]> {
  const rows = unwrap(
    await client
      .from("wishlists")
      .select("book_id")
      .eq("user_id", userId)
      .order("created_at", { ascending: false })
      .order("book_id"),
  );
  return rows.map(({ book_id }) => book_id);
}

/** @throws BackendFailure, with code 23505 when it is there already */
export async function createWish(client: BackendClient, userId: string, bookId: string): Promise<void> {
  unwrap(
    await client.from("wishlists").insert({ user_id: userId, book_id: bookId }).select("book_id").single(),
  );
}

/** A wish that is gone already counts as removed. @throws BackendFailure */
export async function removeWish(client: BackendClient, userId: string, bookId: string): Promise<void> {
  unwrap(
    await client.from("wishlists").delete().eq("user_id", userId).eq("book_id", bookId).select("book_id"),
  );
}

/**
 * The books of some ids, in the ids' order; those that are not sold any more are missing. At most 100 ids: they
 * travel in the address.
 * @throws BackendFailure
 */
export async function listBooksByIds(client: BackendClient, ids: readonly string[]): Promise<CardBook[]> {
  if (ids.length === 0) return [];
  const books = unwrap(await client.from("books").select(CARD_COLUMNS).in("id", ids));
  const byId = new Map(books.map((book) => [book.id, book]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
