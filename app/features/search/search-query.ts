import { cutSearchText } from "#app/features/catalogue/catalogue-query.ts";

/** The tabs of the master search in their order. The first has no parameter of its own. */
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

/** What the master search shows, as its URL says it; an unknown tab counts as the first. */
export function readSearchQuery(params: URLSearchParams): SearchQuery {
  const tab = TABS.find((each) => each === params.get("tab")) ?? "all";
  return { q: cutSearchText(params.get("q") ?? ""), tab };
}
