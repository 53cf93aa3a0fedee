import {
  BOOK_COLUMNS,
  type BookField,
  CARD_COLUMNS,
  type CardBook,
} from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { type InPesewas, inPesewas } from "#shared/text/money.ts";

type BookRow = Database["public"]["Tables"]["books"]["Row"];

/** Everything that the shop knows about a book; its stock is what customers can order. */
export type WholeBook = InPesewas<Pick<BookRow, BookField | keyof CardBook>, "price">;

/**
 * The book, or null when there is none.
 * @throws BackendFailure
 */
export async function findBook(client: BackendClient, id: string): Promise<WholeBook | null> {
  const columns = `${BOOK_COLUMNS}id,for_sale,average_rating,review_count` as const;
  const [found] = unwrap(await client.from("books").select(columns).eq("id", id));
  if (!found) return null;
  const { for_sale, ...book } = found;
  return inPesewas({ ...book, stock_quantity: for_sale }, "price");
}

/** The edition that replaces a book, as its page links to it. */
export type NewerEdition = Pick<CardBook, "id" | "title" | "edition" | "price">;

/**
 * The newest edition that replaces the book, or null where it names none that the shop sells or will sell.
 * @throws BackendFailure
 */
export async function findNewerEdition(
  client: BackendClient,
  { id, newer_isbn }: Pick<WholeBook, "id" | "newer_isbn">,
): Promise<NewerEdition | null> {
  if (newer_isbn === null) return null;
  const found = unwrap(
    await client.rpc("find_newer_edition", { _book_id: id }).select("id,title,edition,price"),
  );
  return found[0] ? inPesewas(found[0], "price") : null;
}

/**
 * Whether copies of it are still to come from a supplier, where the shop tells its customers.
 * @throws BackendFailure
 */
export async function isOnItsWay(client: BackendClient, { id }: { id: string }): Promise<boolean> {
  return unwrap(await client.rpc("is_on_its_way", { _book_id: id }));
}

/**
 * Other books of the same course or series, and then more from its publisher; at most 8 of each, the closest first.
 * @throws BackendFailure
 */
export async function listRelatedBooks(client: BackendClient, { id }: { id: string }): Promise<CardBook[]> {
  const books = unwrap(await client.rpc("list_related_books", { _book_id: id }).select(CARD_COLUMNS));
  return books.map((book) => inPesewas(book, "price"));
}

/** How many reviews gave this rating. */
type RatingCount = { rating: number; reviews: number };

/** `reader` is a first name, or null for a reader without one. */
type BookReview = {
  id: string;
  rating: number;
  review_text: string;
  reader: string | null;
  created_at: string;
};

/**
 * The newest reviews with a text, 20 at most, and the number of reviews for each rating that was given.
 * @throws BackendFailure
 */
export async function readReviews(
  client: BackendClient,
  { id }: { id: string },
): Promise<{ ratings: RatingCount[]; reviews: BookReview[] }> {
  const [ratings, reviews] = await Promise.all([
    client.rpc("count_book_ratings", { _book_id: id }),
    client.rpc("list_book_reviews", { _book_id: id }),
  ]);
  return { ratings: unwrap(ratings), reviews: unwrap(reviews) };
}
