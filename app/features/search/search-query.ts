import { cutSearchText } from "#app/lib/search-text.ts";

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

export type SearchQuery = { q: string; tab: Tab };

/** Reads the master search's URL; an unknown tab counts as the first. */
export function readSearchQuery(params: URLSearchParams): SearchQuery {
  const tab = TABS.find((each) => each === params.get("tab")) ?? "all";
  return { q: cutSearchText(params.get("q") ?? ""), tab };
}
