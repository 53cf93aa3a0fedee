import { CARD_COLUMNS, type CardBook, type CardRow } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-response.ts";
import { inPesewas } from "#app/lib/money.ts";
import { type CatalogueQuery, type Filter, PAGE_SIZE } from "./catalogue-query.ts";

type Filters = Pick<CatalogueQuery, "q" | Filter>;

/**
 * One page of books in the catalogue's order (lower-case title, then id).
 * @throws BackendFailure
 */
export async function listCatalogueBooks(
  client: BackendClient,
  query: CatalogueQuery,
  pageSize = PAGE_SIZE,
): Promise<CardBook[]> {
  const books = unwrap(await client.rpc("search_books", pageArguments(query, pageSize)).select(CARD_COLUMNS));
  return books.map((book) => inPesewas(book, "price"));
}

/**
 * Exact number of books that match.
 * @throws BackendFailure
 */
export async function countCatalogueBooks(client: BackendClient, filters: Filters): Promise<number> {
  return unwrap(await client.rpc("count_books", filterArguments(filters)));
}

export type Facet = { facet: Filter; value: string; books: number };

type Wanted = { pageSize?: number; total?: boolean; facets?: boolean };

export type CataloguePage = {
  books: CardBook[];
  /** Exact number of books that match; null unless wanted. */
  total: number | null;
  /** As of listBookFacets, for the search text; null unless wanted. */
  facets: Facet[] | null;
};

/**
 * What a page shows, in one call: its books (none with page size 0), and what is wanted besides.
 * @throws BackendFailure
 */
export async function findCataloguePage(
  client: BackendClient,
  query: CatalogueQuery,
  { pageSize = PAGE_SIZE, total = false, facets = false }: Wanted = {},
): Promise<CataloguePage> {
  const page = unwrap(
    await client.rpc("catalogue_page", {
      ...pageArguments(query, pageSize),
      _columns: CARD_COLUMNS.split(","),
      _with_total: total,
      _with_facets: facets,
    }),
  ) as unknown as Omit<CataloguePage, "books"> & { books: CardRow[] };
  return { ...page, books: page.books.map((book) => inPesewas(book, "price")) };
}

/**
 * The distinct publishers, courses and subjects of the books that match a search text (without one, of all books), each
 * with its number of books.
 * @throws BackendFailure
 */
export async function listBookFacets(client: BackendClient, q = ""): Promise<Facet[]> {
  return unwrap(await client.rpc("list_book_facets", { _q: q || undefined })) as Facet[];
}

/**
 * Whether the demo books are on sale: the publisher pages' fixed lists belong to them.
 * @throws BackendFailure
 */
export async function shopHasDemo(client: BackendClient): Promise<boolean> {
  return unwrap(await client.rpc("shop_has_demo"));
}

function pageArguments(query: CatalogueQuery, pageSize: number) {
  const { after, before, page } = query;
  return {
    ...filterArguments(query),
    _page: after || before ? undefined : page,
    _page_size: pageSize,
    _after_title: after?.title,
    _after_id: after?.id,
    _before_title: before?.title,
    _before_id: before?.id,
  };
}

function filterArguments({ q, publisher, course, subject }: Filters) {
  return {
    _q: q || undefined,
    _publisher: publisher || undefined,
    _course: course || undefined,
    _subject: subject || undefined,
  };
}
