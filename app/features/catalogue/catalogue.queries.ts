import { CARD_COLUMNS, type CardBook } from "#app/features/books/book.ts";
import { readFailureFrom } from "#app/features/books/read-failure.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { type CatalogueQuery, type Filter, PAGE_SIZE } from "./catalogue-query.ts";

type Filters = Pick<CatalogueQuery, "q" | Filter>;
type Answer<T> = { data: T | null; error: { code?: string; message: string } | null; status: number };

/**
 * One page of books in the catalogue's order (lower-case title, then id).
 * @throws ReadFailure
 */
export async function listCatalogueBooks(
  client: BackendClient,
  query: CatalogueQuery,
  pageSize = PAGE_SIZE,
): Promise<CardBook[]> {
  const { after, before, page } = query;
  return unwrap(
    await client
      .rpc("search_books", {
        ...filterArguments(query),
        _page: after || before ? undefined : page,
        _page_size: pageSize,
        _after_title: after?.title,
        _after_id: after?.id,
        _before_title: before?.title,
        _before_id: before?.id,
      })
      .select(CARD_COLUMNS),
  );
}

/**
 * Exact number of books that match.
 * @throws ReadFailure
 */
export async function countCatalogueBooks(client: BackendClient, filters: Filters): Promise<number> {
  return unwrap(await client.rpc("count_books", filterArguments(filters)));
}

export type Facet = { facet: Filter; value: string; books: number };

/**
 * The distinct publishers, courses and subjects among the matches of a search text (of all books without one),
 * each with its number of books.
 * @throws ReadFailure
 */
export async function listBookFacets(client: BackendClient, q = ""): Promise<Facet[]> {
  return unwrap(await client.rpc("list_book_facets", { _q: q || undefined })) as Facet[];
}

function filterArguments({ q, publisher, course, subject }: Filters) {
  return {
    _q: q || undefined,
    _publisher: publisher || undefined,
    _course: course || undefined,
    _subject: subject || undefined,
  };
}

function unwrap<T>({ data, error, status }: Answer<T>): T {
  if (error) throw readFailureFrom(error, status);
  if (data === null) throw readFailureFrom({}, status);
  return data;
}
