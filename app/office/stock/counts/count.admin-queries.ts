import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import { LIST_PAGE_SIZE, type ListQuery } from "#app/lib/react/list-state.ts";
import type { ListPage } from "#app/office/frame/admin-list.tsx";
import type { Database } from "#shared/calls/database.types.ts";

type Returned<Name extends keyof Database["public"]["Functions"]> =
  Database["public"]["Functions"][Name]["Returns"] extends (infer Row)[] ? Row : never;

type CountRow = Returned<"list_stock_counts">;
type LineRow = Returned<"list_stock_count_books">;

type WithNull<Row, Key extends keyof Row> = Omit<Row, Key> & { [Name in Key]: Row[Name] | null };

// The generated types don't know what may be null.

/** A count with its progress. */
export type Count = WithNull<CountRow, "scope_value" | "by_name" | "closed_at" | "closed_by_name">;

/** A book of a count. What was counted and expected, and their difference, are null until it is scanned. */
export type CountLine = WithNull<
  LineRow,
  | "title"
  | "isbn"
  | "publisher"
  | "shelf"
  | "counted"
  | "expected"
  | "difference"
  | "moved"
  | "scanned_at"
  | "own"
  | "counted_by"
> & { id: string };

/** One page of counts, the newest first. @throws BackendFailure */
export async function listCounts(client: BackendClient, page: number): Promise<ListPage<Count>> {
  const [rows, total] = await Promise.all([
    client.rpc("list_stock_counts", { _page: page, _page_size: LIST_PAGE_SIZE }),
    client.rpc("count_stock_counts"),
  ]);
  return { rows: unwrap(rows), total: unwrap(total) };
}

/** Null if there is none. @throws BackendFailure */
export async function findCount(client: BackendClient, id: string): Promise<Count | null> {
  return unwrap(await client.rpc("list_stock_counts", { _id: id }))[0] ?? null;
}

/** Empty means all. */
export type CountFilters = { countId: string; show: string; q: string };

const argumentsOf = ({ countId, show, q }: CountFilters) => ({
  _count_id: countId,
  _show: show || undefined,
  _q: q || undefined,
});

export const LINE_SORT_KEYS = ["scanned_at", "shelf", "title", "difference"] as const;
type LineSort = ListQuery<(typeof LINE_SORT_KEYS)[number]>["sort"];

const withId = (row: LineRow): CountLine => ({ ...row, id: row.book_id });

/** @throws BackendFailure */
export async function readCountLines(
  client: BackendClient,
  filters: CountFilters,
  { page, sort, size = LIST_PAGE_SIZE }: { page: number; sort: LineSort; size?: number },
): Promise<CountLine[]> {
  const rows = await client.rpc("list_stock_count_books", {
    ...argumentsOf(filters),
    _sort: sort.key,
    _descending: sort.descending,
    _page: page,
    _page_size: size,
  });
  return unwrap(rows).map(withId);
}

/** @throws BackendFailure */
export async function countCountLines(client: BackendClient, filters: CountFilters): Promise<number> {
  return unwrap(await client.rpc("count_stock_count_books", argumentsOf(filters)));
}

/** @throws BackendFailure */
export async function listCountLines(
  client: BackendClient,
  filters: CountFilters,
  place: { page: number; sort: LineSort },
): Promise<ListPage<CountLine>> {
  const [rows, total] = await Promise.all([
    readCountLines(client, filters, place),
    countCountLines(client, filters),
  ]);
  return { rows, total };
}

/** @throws BackendFailure */
export async function findCountLine(
  client: BackendClient,
  countId: string,
  bookId: string,
): Promise<CountLine | null> {
  const rows = await client.rpc("list_stock_count_books", { _count_id: countId, _book_id: bookId });
  return unwrap(rows).map(withId)[0] ?? null;
}

export type CountScope = "publisher" | "shelf" | "books";

/** `value` is a publisher or how shelf places begin, `codes` ISBNs or codes. */
export type NewCount = { id: string; name: string; scope: CountScope; value: string; codes: string[] };

/** Repeating an `id` begins no second count. @throws BackendFailure */
export async function beginCount(client: BackendClient, count: NewCount): Promise<void> {
  unwrapDone(
    await client.rpc("begin_stock_count", {
      _id: count.id,
      _name: count.name,
      _scope: count.scope,
      _value: count.value || undefined,
      _codes: count.codes,
    }),
  );
}

/** A book by its code or id: one copy more, or as many as this person has counted in all. */
export type Scan = { id: string; code?: string; bookId?: string; copies?: number };

/**
 * Repeating a scan counts nothing.
 * @returns the book's id
 * @throws BackendFailure
 */
export async function scanStock(client: BackendClient, countId: string, scan: Scan): Promise<string> {
  return unwrap(
    await client.rpc("scan_stock", {
      _id: scan.id,
      _count_id: countId,
      _code: scan.code,
      _book_id: scan.bookId,
      _copies: scan.copies,
    }),
  );
}

/** Of a book, or of all that no one has scanned. @returns how many books it marked @throws BackendFailure */
export async function markNoneFound(
  client: BackendClient,
  countId: string,
  bookId?: string,
): Promise<number> {
  return unwrap(await client.rpc("mark_none_found", { _count_id: countId, _book_id: bookId }));
}

/** A book, or all that must be counted a second time. @returns how many books @throws BackendFailure */
export async function recountStock(
  client: BackendClient,
  countId: string,
  line?: Pick<CountLine, "book_id" | "round">,
): Promise<number> {
  return unwrap(
    await client.rpc("recount_stock", { _count_id: countId, _book_id: line?.book_id, _round: line?.round }),
  );
}

/**
 * Adds all differences to the stock and closes the count; idempotent.
 * @param differences how many were shown
 * @returns how many books were changed
 * @throws BackendFailure
 */
export async function bookCount(
  client: BackendClient,
  countId: string,
  differences: number,
): Promise<number> {
  return unwrap(await client.rpc("book_stock_count", { _count_id: countId, _differences: differences }));
}

/** Closes a count without changing stock. @throws BackendFailure */
export async function discardCount(client: BackendClient, countId: string): Promise<void> {
  unwrapDone(await client.rpc("discard_stock_count", { _count_id: countId }));
}
