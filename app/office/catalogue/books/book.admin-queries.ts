import { BOOK_COLUMNS, type BookField, type BookValues } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend/response.ts";
import type { ListQuery } from "#app/lib/react/list-state.ts";
import { pagingArguments } from "#app/office/frame/paging.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { cedisFromPesewas, type InPesewas, inPesewas } from "#shared/text/money.ts";
import type { StockReason } from "./stock-reasons.ts";

type Row = Database["public"]["Tables"]["books"]["Row"];

/** A book for the form; `updated_at` shows whether someone else has changed it since. */
export type BookRecord = InPesewas<Pick<Row, BookField | "id" | "updated_at">, "price">;

/** What a row of the inventory shows; its cover needs subject and course. */
const inventoryColumns =
  "id,title,publisher,isbn,price,stock_quantity,image_url,subject,course,kind,digital_by,sale_state";

export const BOOK_SORT_KEYS = ["title", "publisher", "price", "stock_quantity", "created_at"] as const;
type BookSortKey = (typeof BOOK_SORT_KEYS)[number];

type InventoryQuery = ListQuery<BookSortKey> & { publisher: string; kind?: string; saleState?: string };

/**
 * One page of the inventory, newest first unless sorted otherwise, and the exact number of all books that match.
 * `q` looks through title, authors, publisher, course, subject, ISBN and description; an empty `publisher`, `kind` or
 * `saleState` means all.
 * @throws BackendFailure
 */
export async function listInventory(client: BackendClient, query: InventoryQuery) {
  const filters = {
    _q: query.q || undefined,
    _publisher: query.publisher || undefined,
    _kind: query.kind || undefined,
    _sale_state: query.saleState || undefined,
  };
  const [rows, total] = await Promise.all([
    client
      .rpc("admin_list_books", { ...filters, ...pagingArguments(query) })
      .select(inventoryColumns)
      .then(unwrap),
    client.rpc("admin_count_books", filters).then(unwrap),
  ]);
  return { rows: rows.map((book) => inPesewas(book, "price")), total };
}

export type InventoryRow = Awaited<ReturnType<typeof listInventory>>["rows"][number];

/**
 * Books and copies per publisher, most books first; books without one are grouped under 'Unknown'.
 * @throws BackendFailure
 */
export async function listPublisherStatistics(client: BackendClient) {
  return unwrap(await client.rpc("list_publisher_statistics"));
}

/**
 * How many titles there are of each kind, in the order of the kinds.
 * @throws BackendFailure
 */
export async function countKinds(client: BackendClient) {
  return unwrap(await client.rpc("count_kinds"));
}

/**
 * Up to `limit` books with few copies left, fewest first.
 * @throws BackendFailure
 */
export async function listLowStockBooks(client: BackendClient, limit: number) {
  return unwrap(await client.rpc("list_low_stock_books", { _limit: limit }));
}

/**
 * The current book, or null if it no longer exists.
 * @throws BackendFailure
 */
export async function findBookRecord(client: BackendClient, id: string): Promise<BookRecord | null> {
  const response = await client.from("books").select(`${BOOK_COLUMNS}id,updated_at`).eq("id", id);
  const [book] = unwrap(response);
  return book ? inPesewas(book, "price") : null;
}

/**
 * Other books with the same ISBN in any spelling, those of which customers can order most copies first. `isbnKey` is in the form of
 * books.isbn_key.
 * @throws BackendFailure
 */
export async function listBooksByIsbn(client: BackendClient, isbnKey: string) {
  const books = client.from("books").select("id, title, for_sale").eq("isbn_key", isbnKey);
  return unwrap(await books.order("for_sale", { ascending: false }).limit(3));
}

function inCedis(values: BookValues) {
  return { ...values, price: cedisFromPesewas(values.price) };
}

/** @returns its id @throws BackendFailure */
export async function createBook(client: BackendClient, values: BookValues): Promise<string> {
  return unwrapWritten(await client.from("books").insert(inCedis(values)).select("id")).id;
}

/**
 * Writes the form's values if the book has not changed since it was loaded (compared by `updated_at`).
 * @param because why its stock has changed, null if it has not
 * @returns false when there was no such row to update
 * @throws BackendFailure
 */
export async function updateBook(
  client: BackendClient,
  loaded: Pick<BookRecord, "id" | "updated_at">,
  values: BookValues,
  because: StockReason | null,
): Promise<boolean> {
  if (because)
    return unwrap(
      await client.rpc("change_book", {
        _book_id: loaded.id,
        _updated_at: loaded.updated_at,
        _book: inCedis(values),
        _reason: because.reason,
        _note: because.note,
      }),
    );
  const response = await client
    .from("books")
    .update(inCedis(values))
    .eq("id", loaded.id)
    .eq("updated_at", loaded.updated_at)
    .select("id");
  return unwrap(response).length > 0;
}

/** The books that the list shows; an empty filter is off. */
export type BookFilters = { q: string; publisher: string; kind: string; saleState: string };

/**
 * Stages new prices for all books that match; nothing changes until the import is applied.
 * @param percent from -90 to 900
 * @param roundTo in cedis
 * @returns the import's id
 * @throws BackendFailure
 */
export async function stagePriceChange(
  client: BackendClient,
  { percent, roundTo, ...filters }: { percent: number; roundTo: number } & BookFilters,
): Promise<string> {
  return unwrap(
    await client.rpc("stage_price_change", {
      _percent: percent,
      _round_to: roundTo,
      _publisher: filters.publisher || undefined,
      _q: filters.q || undefined,
      _kind: filters.kind || undefined,
      _sale_state: filters.saleState || undefined,
    }),
  );
}

/** @throws BackendFailure */
export async function removeBook(client: BackendClient, id: string): Promise<void> {
  unwrapWritten(await client.from("books").delete().eq("id", id).select("id"));
}
