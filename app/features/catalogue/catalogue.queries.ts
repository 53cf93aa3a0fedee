import { CARD_COLUMNS, type CardBook, type CardRow } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { type BookSearch, bookSearch } from "#shared/books/book-search.ts";
import { priceSteps } from "#shared/owner/price-steps.ts";
import { inPesewas } from "#shared/text/money.ts";
import { type CatalogueQuery, type Filter, orderOf, PAGE_SIZE, PRICE_RANGES } from "./catalogue-query.ts";

/** The data API wants cedis to the pesewa: a range ends just below its upper end. */
const PESEWA = 0.01;

/**
 * One page of books in the catalogue's order (lower-case title, then id).
 * @throws BackendFailure
 */
export async function listCatalogueBooks(
  client: BackendClient,
  query: CatalogueQuery,
  pageSize = PAGE_SIZE,
): Promise<CardBook[]> {
  const search = { ...searchedText(query), ...position(query, pageSize) };
  const books = unwrap(
    await client.rpc("search_books", { _search: bookSearch(search) }).select(CARD_COLUMNS),
  );
  return books.map((book) => inPesewas(book, "price"));
}

export type Facet = { facet: Filter; value: string; books: number };

type Wanted = { pageSize?: number; total?: boolean; facets?: boolean };

export type CataloguePage = {
  books: CardBook[];
  /** Exact number of books that match; null unless asked for. */
  total: number | null;
  /** As listBookFacets returns them for the search text; null unless asked for. */
  facets: Facet[] | null;
};

/**
 * What a page shows, in one call: its books (none with page size 0) and any extras asked for.
 * @throws BackendFailure
 */
export async function findCataloguePage(
  client: BackendClient,
  query: CatalogueQuery,
  { pageSize = PAGE_SIZE, total = false, facets = false }: Wanted = {},
): Promise<CataloguePage> {
  const page = unwrap(
    await client.rpc("catalogue_page", {
      _search: bookSearch({
        ...searchedText(query),
        ...moreFilters(query),
        ...position(query, pageSize),
        sort: orderOf(query),
      }),
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

/** How many books a filter's choice shows; a price's value is its index in PRICE_RANGES. */
export type Choice = { choice: "grade" | "price" | "stock" | "kind"; value: string; books: number };

/**
 * The grade levels, price ranges, stock and kinds to choose from beside the query's other filters.
 * @throws BackendFailure
 */
export async function listBookChoices(client: BackendClient, query: CatalogueQuery): Promise<Choice[]> {
  const choices = await client.rpc("list_book_choices", {
    _search: bookSearch({ ...searchedText(query), ...moreFilters(query) }),
    _price_steps: [...priceSteps],
    _price_range: query.price ? PRICE_RANGES.indexOf(query.price) : undefined,
  });
  return unwrap(choices) as Choice[];
}

/**
 * Close matches for a search; what was probably meant, null if the search seems to be spelt correctly; and beside a search that finds
 * enough, another word for the same thing.
 */
export type NearBooks = { books: CardBook[]; meant: string | null; also: string | null };

/**
 * The nearest books that the search itself does not find, within its filters, best first.
 * @param total how many books the search finds; beside many, only what other words for the same thing find
 * @throws BackendFailure
 */
export async function findNearBooks(
  client: BackendClient,
  query: CatalogueQuery,
  total: number,
  pageSize: number,
): Promise<NearBooks> {
  const found = unwrap(
    await client.rpc("near_books", {
      _search: bookSearch({ ...searchedText(query), ...moreFilters(query), page_size: pageSize }),
      _found: total,
    }),
  ) as unknown as Omit<NearBooks, "books"> & { books: CardRow[] };
  return { ...found, books: found.books.map((book) => inPesewas(book, "price")) };
}

function position({ after, before, page }: CatalogueQuery, pageSize: number): Partial<BookSearch> {
  return {
    page: after || before ? null : page,
    page_size: pageSize,
    after_title: after?.title ?? null,
    after_id: after?.id ?? null,
    before_title: before?.title ?? null,
    before_id: before?.id ?? null,
  };
}

function searchedText({ q, publisher, course, subject }: CatalogueQuery): Partial<BookSearch> {
  return { q: q || null, publisher: publisher || null, course: course || null, subject: subject || null };
}

function moreFilters({ grade, price, stock, kind }: CatalogueQuery): Partial<BookSearch> {
  const [from, below] = price.split("-");
  return {
    grade_level: grade || null,
    min_price: from ? Number(from) : null,
    max_price: below ? Number(below) - PESEWA : null,
    in_stock: stock ? true : null,
    kind: kind || null,
  };
}
