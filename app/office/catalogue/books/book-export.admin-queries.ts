import { BOOK_COLUMNS } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { type ExportFilters, type ExportSource, STEP_SIZE } from "#app/office/frame/export/collect-rows.ts";
import { bookSearch } from "#shared/books/book-search.ts";
import { inPesewas } from "#shared/text/money.ts";

type BookPlace = { page: number; after?: { id: string; title: string } };

async function readBooks(
  client: BackendClient,
  { q, filter, kind }: ExportFilters,
  { page, after }: BookPlace,
) {
  // Only the back office's list finds texts with any punctuation; only the shop's search continues after a book, however many there are.
  const found = q
    ? client.rpc("admin_list_books", {
        _q: q,
        _publisher: filter || undefined,
        _kind: kind || undefined,
        _sort: "title",
        _descending: false,
        _page: page,
        _page_size: STEP_SIZE,
      })
    : client.rpc("search_books", {
        _search: bookSearch({
          publisher: filter || null,
          kind: kind || null,
          page_size: STEP_SIZE,
          after_title: after?.title ?? null,
          after_id: after?.id ?? null,
        }),
      });
  const answer = await found.select(`${BOOK_COLUMNS}id,average_rating,review_count,created_at`);
  return unwrap(answer).map((book) => inPesewas(book, "price"));
}

export type ExportedBook = Awaited<ReturnType<typeof readBooks>>[number];

/** Books by title. `filter` is a publisher. */
export function bookSource(
  client: BackendClient,
  filters: ExportFilters,
): ExportSource<ExportedBook, BookPlace> {
  return {
    count: async () =>
      unwrap(
        await client.rpc("admin_count_books", {
          _q: filters.q || undefined,
          _publisher: filters.filter || undefined,
          _kind: filters.kind || undefined,
        }),
      ),
    first: () => ({ page: 1 }),
    read: async (place) => {
      const rows = await readBooks(client, filters, place);
      const last = rows.at(-1);
      return { rows, next: last && rows.length === STEP_SIZE ? { page: place.page + 1, after: last } : null };
    },
  };
}
