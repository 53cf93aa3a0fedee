import { pagingArguments } from "#app/features/admin/paging.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { BackendFailure, unwrap, unwrapWritten } from "#app/lib/backend-failure.ts";
import type { Database } from "#app/lib/database.types.ts";
import type { ListQuery } from "#app/lib/list-state.ts";
import type { BookField, BookValues } from "./book-form.ts";

type Row = Database["public"]["Tables"]["books"]["Row"];

/** A book as the form knows it; `updated_at` tells whether somebody else has changed it since. */
export type BookRecord = Pick<Row, BookField | "id" | "updated_at">;

const recordColumns =
  "id, updated_at, title, publisher, price, stock_quantity, isbn, edition, subject, grade_level, image_url, description, course, age_range, curriculum_type";

export const BOOK_SORT_KEYS = ["title", "publisher", "price", "stock_quantity", "created_at"] as const;
export type BookSortKey = (typeof BOOK_SORT_KEYS)[number];

export type InventoryQuery = ListQuery<BookSortKey> & { publisher: string };

/**
 * One page of the inventory, newest first unless sorted otherwise, and the exact number of all books that match.
 * `q` looks through title, publisher, course, subject, ISBN and description; an empty `publisher` means all.
 * @throws BackendFailure
 */
export async function listInventory(client: BackendClient, query: InventoryQuery) {
  const filters = { _q: query.q || undefined, _publisher: query.publisher || undefined };
  const [rows, total] = await Promise.all([
    client.rpc("admin_list_books", { ...filters, ...pagingArguments(query) }).then(unwrap),
    client.rpc("admin_count_books", filters).then(unwrap),
  ]);
  return { rows, total };
}

export type InventoryRow = Awaited<ReturnType<typeof listInventory>>["rows"][number];

/**
 * Books and copies per publisher, most books first; books without one stand under 'Unknown'.
 * @throws BackendFailure
 */
export async function listPublisherStatistics(client: BackendClient) {
  return unwrap(await client.rpc("list_publisher_statistics"));
}

/**
 * Up to `limit` books with few copies left, fewest first.
 * @throws BackendFailure
 */
export async function listLowStockBooks(client: BackendClient, limit: number) {
  return unwrap(await client.rpc("list_low_stock_books", { _limit: limit }));
}

/**
 * The book as it stands now, or null when it is gone.
 * @throws BackendFailure
 */
export async function findBookRecord(client: BackendClient, id: string): Promise<BookRecord | null> {
  const answer = await client.from("books").select(recordColumns).eq("id", id);
  return unwrap(answer)[0] ?? null;
}

/**
 * Other books with the same ISBN in whatever spelling. `isbnKey` is what books.isbn_key holds.
 * @throws BackendFailure
 */
export async function listBooksByIsbn(client: BackendClient, isbnKey: string) {
  return unwrap(await client.from("books").select("id, title").eq("isbn_key", isbnKey).limit(3));
}

/** @throws BackendFailure */
export async function createBook(client: BackendClient, values: BookValues): Promise<void> {
  unwrapWritten(await client.from("books").insert(values).select("id"));
}

/**
 * Writes the form's values if the book is still as it was loaded (the time of its last change is the proof).
 * @returns false when no such row was there to write
 * @throws BackendFailure
 */
export async function updateBook(
  client: BackendClient,
  loaded: Pick<BookRecord, "id" | "updated_at">,
  values: BookValues,
): Promise<boolean> {
  const answer = await client
    .from("books")
    .update(values)
    .eq("id", loaded.id)
    .eq("updated_at", loaded.updated_at)
    .select("id");
  return unwrap(answer).length > 0;
}

/** @throws BackendFailure */
export async function removeBook(client: BackendClient, id: string): Promise<void> {
  unwrapWritten(await client.from("books").delete().eq("id", id).select("id"));
}

const BUCKET = "book-covers";
const CACHE_SECONDS = 3600;

/** The bucket's limit; a hosted project puts it at the end of a longer message and answers status 500. */
const LIMIT_SENTENCE = /You have uploaded \d+ covers within .*$/;

/**
 * Puts a cover into the bucket and answers its public address. `at` names the file, in milliseconds.
 * @throws BackendFailure
 */
export async function uploadCover(client: BackendClient, jpeg: Blob, at: number): Promise<string> {
  const path = `book-cover-${at}.jpg`;
  const bucket = client.storage.from(BUCKET);
  const { error } = await bucket.upload(path, jpeg, {
    cacheControl: String(CACHE_SECONDS),
    contentType: "image/jpeg",
    upsert: false,
  });
  if (error) {
    const message = LIMIT_SENTENCE.exec(error.message)?.[0];
    throw new BackendFailure(message ? { code: "PT429", message } : {}, error.status ?? 0);
  }
  return bucket.getPublicUrl(path).data.publicUrl;
}
