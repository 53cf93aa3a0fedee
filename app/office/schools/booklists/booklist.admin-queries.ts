import { type Booklist, type BooklistStatus, readBooklistStatus } from "#app/features/booklists/booklist.ts";
import { booklistLines, matchBookLines } from "#app/features/booklists/booklists.queries.ts";
import { CARD_COLUMNS, type CardBook } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import type { ListQuery } from "#app/lib/react/list-state.ts";
import { pagingArguments } from "#app/office/frame/paging.ts";
import { inPesewas } from "#shared/text/money.ts";

export const BOOKLIST_SORT_KEYS = ["updated_at", "school", "school_year"] as const;
type BooklistSortKey = (typeof BOOKLIST_SORT_KEYS)[number];

/**
 * One page of booklists, last changed first unless sorted otherwise, and the exact number of all that match. `q`
 * looks through school, class, year and code; an empty `status` means all.
 * @throws BackendFailure
 */
export async function listBooklists(
  client: BackendClient,
  query: ListQuery<BooklistSortKey> & { status: string },
) {
  const filters = { _q: query.q || undefined, _status: query.status || undefined };
  const [rows, total] = await Promise.all([
    client.rpc("admin_list_booklists", { ...filters, ...pagingArguments(query) }).then(unwrap),
    client.rpc("admin_count_booklists", filters).then(unwrap),
  ]);
  return { rows: rows.map((row) => ({ ...row, status: readBooklistStatus(row.status) })), total };
}

export type BooklistRow = Awaited<ReturnType<typeof listBooklists>>["rows"][number];

/** A list for editing; `updated_at` is the version that a save must name. */
export type BooklistRecord = Booklist & {
  id: string;
  status: BooklistStatus;
  is_listed: boolean;
  pupils: number | null;
};

/**
 * A list in any state, or null when it does not exist. Its lines name newer editions of their books.
 * @throws BackendFailure
 */
export async function readBooklist(client: BackendClient, id: string): Promise<BooklistRecord | null> {
  const [list] = unwrap(await client.rpc("admin_read_booklist", { _id: id }));
  return list ? { ...list, status: readBooklistStatus(list.status), lines: booklistLines(list.lines) } : null;
}

/** A line to save: with its id if it is already on the list, and with either a book or just a title. */
type BooklistLineInput = {
  id: string | null;
  book_id: string | null;
  title: string;
  copies: number;
  is_required: boolean;
  note: string;
};

export type BooklistInput = Pick<
  BooklistRecord,
  "id" | "school" | "class_name" | "school_year" | "is_listed" | "pupils"
> & {
  introduction: string;
  lines: BooklistLineInput[];
};

/**
 * Saves a list with all its lines, or nothing.
 * @param version the `updated_at` that was loaded; null for a new list
 * @returns the list's current state and version
 * @throws BackendFailure, `booklist_changed` when someone else has saved it since
 */
export async function saveBooklist(client: BackendClient, list: BooklistInput, version: string | null) {
  return unwrap(
    await client.rpc("save_booklist", {
      _id: list.id,
      _school: list.school,
      _class_name: list.class_name,
      _school_year: list.school_year,
      _introduction: list.introduction,
      _is_listed: list.is_listed,
      // Without a number, the stored one would stay.
      _pupils: list.pupils ?? 0,
      _lines: list.lines,
      ...(version && { _updated_at: version }),
    }),
  );
}

type Version = { id: string; updated_at: string };

/** @throws BackendFailure, `booklist_changed` when someone else has saved the list since */
export async function setBooklistStatus(
  client: BackendClient,
  { id, updated_at }: Version,
  status: BooklistStatus,
) {
  return unwrap(
    await client.rpc("set_booklist_status", { _id: id, _updated_at: updated_at, _status: status }),
  );
}

/** Deletes a draft. @throws BackendFailure */
export async function deleteBooklist(client: BackendClient, { id, updated_at }: Version): Promise<void> {
  unwrapDone(await client.rpc("delete_booklist", { _id: id, _updated_at: updated_at }));
}

/**
 * Makes a draft for another school year with the same lines.
 * @throws BackendFailure
 */
export async function copyBooklist(client: BackendClient, id: string, schoolYear: string) {
  return unwrap(await client.rpc("copy_booklist", { _id: id, _school_year: schoolYear }));
}

/**
 * The list's sales: in total, and for each line that was ordered at least once.
 * @throws BackendFailure
 */
export async function readBooklistSales(client: BackendClient, id: string) {
  const rows = unwrap(await client.rpc("admin_list_booklist_sales", { _id: id })).map((row) =>
    inPesewas(row, "amount"),
  );
  return {
    whole: rows.find(({ line_id }) => line_id === null),
    lines: new Map(rows.map((row) => [row.line_id, row])),
  };
}

/**
 * The books for a typed title, author or ISBN, at most 8: first the `exact` ones, whose ISBN or whole title it is.
 * @throws BackendFailure
 */
export async function suggestBooks(
  client: BackendClient,
  q: string,
): Promise<{ exact: CardBook[]; books: CardBook[] }> {
  const [[match], suggested] = await Promise.all([
    matchBookLines(client, [q]),
    client
      .rpc("admin_list_books", { _q: q, _sort: "title", _page_size: 8 })
      .select(CARD_COLUMNS)
      .then(unwrap),
  ]);
  const exact = match?.books ?? [];
  const others = suggested.filter(({ id }) => !exact.some((one) => one.id === id));
  return { exact, books: [...exact, ...others.map((book) => inPesewas(book, "price"))].slice(0, 8) };
}
