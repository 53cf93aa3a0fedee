import type { CardBook } from "#app/features/books/book-fields.ts";
import { type Facet, findCataloguePage, type NearBooks } from "#app/features/catalogue/catalogue.queries.ts";
import {
  type CatalogueQuery,
  PAGE_SIZE,
  readCatalogueQuery,
} from "#app/features/catalogue/catalogue-query.ts";
import { nearResult } from "#app/features/catalogue/near-result.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { FIRST_BOOKS, type SearchQuery, type Tab } from "./search-query.ts";

/** A publisher, course or subject among the matches. */
export type MatchingFacet = Pick<Facet, "value" | "books">;

type SearchResults = {
  /** The first matches: 8 on the All tab, a page on the Books tab, none on the others. */
  books: CardBook[];
  publishers: MatchingFacet[];
  courses: MatchingFacet[];
  subjects: MatchingFacet[];
  counts: Record<Tab, number>;
  /** Close matches, shown where few books match. */
  near: NearBooks | null;
};

/**
 * The results of a search: books, and the distinct publishers, courses and subjects of all matches.
 * @throws BackendFailure
 */
export async function findEverything(
  client: BackendClient,
  { tab, ...searched }: SearchQuery,
): Promise<SearchResults> {
  const query: CatalogueQuery = { ...readCatalogueQuery(new URLSearchParams()), ...searched };
  const limit = { all: FIRST_BOOKS, books: PAGE_SIZE }[tab as string] ?? 0;
  const page = await findCataloguePage(client, query, { pageSize: limit, total: true, facets: true });
  const { books, total, facets } = page;
  const named = (facet: Facet["facet"]) =>
    (facets ?? []).filter((row) => row.facet === facet).map(({ value, books }) => ({ value, books }));
  const found = { publishers: named("publisher"), courses: named("course"), subjects: named("subject") };
  const near = limit > 0 ? await nearResult(client, query, total ?? 0, limit) : null;
  return { books, ...found, near, counts: countTabs(total ?? 0, found) };
}

/** The All tab's count is the sum of the other four. */
function countTabs(books: number, found: Pick<SearchResults, "publishers" | "courses" | "subjects">) {
  const publishers = found.publishers.length;
  const courses = found.courses.length;
  const subjects = found.subjects.length;
  return { all: books + publishers + courses + subjects, books, publishers, courses, subjects };
}
