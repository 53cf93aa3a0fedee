import type { BookField } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { type ExportFilters, type ExportSource, STEP_SIZE } from "#app/office/frame/export/collect-rows.ts";
import { bookSearch } from "#shared/books/book-search.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { type InPesewas, inPesewas } from "#shared/text/money.ts";

type BookPlace = { page: number; after?: { id: string; title: string } };

type BookRow = Database["public"]["Tables"]["books"]["Row"];
/** What export_books returns for a book; `marks` says what its fields are, for an import of the file. */
type ExportRow = Pick<BookRow, BookField | "id" | "average_rating" | "review_count" | "created_at"> & {
  marks: string;
};

async function listBooks(
  client: BackendClient,
  { q, filter, kind, saleState }: ExportFilters,
  { page, after }: BookPlace,
) {
  // Only the back office's list finds texts with any punctuation; only the shop's search continues after a book, however many there are.
  const found = q
    ? client.rpc("admin_list_books", {
        _q: q,
        _publisher: filter || undefined,
        _kind: kind || undefined,
        _sale_state: saleState || undefined,
        _sort: "title",
        _descending: false,
        _page: page,
        _page_size: STEP_SIZE,
      })
    : client.rpc("search_books", {
        _search: bookSearch({
          publisher: filter || null,
          kind: kind || null,
          sale_state: saleState || "any",
          page_size: STEP_SIZE,
          after_title: after?.title ?? null,
          after_id: after?.id ?? null,
        }),
      });
  return unwrap(await found.select("id,title"));
}

export type ExportedBook = InPesewas<ExportRow, "price">;

/** Values and marks are read together: a book that was changed in between would come back as changed in the file. */
async function readBooks(client: BackendClient, ids: string[]): Promise<ExportedBook[]> {
  const rows = unwrap(await client.rpc("export_books", { _book_ids: ids })) as ExportRow[];
  return rows.map((book) => inPesewas(book, "price"));
}

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
          _sale_state: filters.saleState || undefined,
        }),
      ),
    first: () => ({ page: 1 }),
    read: async (place) => {
      const found = await listBooks(client, filters, place);
      const last = found.at(-1);
      const ids = found.map(({ id }) => id);
      return {
        rows: ids.length > 0 ? await readBooks(client, ids) : [],
        next: last && found.length === STEP_SIZE ? { page: place.page + 1, after: last } : null,
      };
    },
  };
}
