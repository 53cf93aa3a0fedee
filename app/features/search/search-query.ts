import { type CatalogueQuery, readCatalogueQuery } from "#app/features/catalogue/catalogue-query.ts";
import type { SearchOrder } from "#shared/text/search-text.ts";

/** The tabs of the master search, in order. The first is the default, without a query parameter. */
export const TABS = ["all", "books", "publishers", "courses", "subjects"] as const;
export type Tab = (typeof TABS)[number];

export const TAB_LABELS: Record<Tab, string> = {
  all: "All",
  books: "Books",
  publishers: "Publishers",
  courses: "Courses",
  subjects: "Subjects",
};

/** The All tab shows this many books (spec section 9). */
export const FIRST_BOOKS = 8;

export type SearchQuery = Pick<CatalogueQuery, "q" | "sort" | "usual"> & { tab: Tab };

/**
 * Reads the master search's URL; an unknown tab counts as the first.
 * @param searchOrder as for readCatalogueQuery
 */
export function readSearchQuery(params: URLSearchParams, searchOrder?: SearchOrder): SearchQuery {
  const tab = TABS.find((each) => each === params.get("tab")) ?? "all";
  const { q, sort, usual } = readCatalogueQuery(params, searchOrder);
  return { q, sort: sort === "title" || sort === "best" ? sort : "", usual, tab };
}
