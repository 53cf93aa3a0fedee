import { cutSearchText } from "#app/lib/search-text.ts";
import { isUuid } from "#app/lib/uuid.ts";

export const PAGE_SIZE = 24;
/** Deeper pages are reached only by next and previous links, with a cursor instead of a number. */
export const LAST_NUMBERED_PAGE = 100;

/** A cursor: a book's position in the catalogue's order, lower-case title, then id. */
export type CatalogueCursor = { title: string; id: string };

/** The state of the catalogue page. The URL is its only store. */
export type CatalogueQuery = {
  q: string;
  publisher: string;
  course: string;
  subject: string;
  page: number;
  after: CatalogueCursor | null;
  before: CatalogueCursor | null;
};

export const FILTERS = ["publisher", "course", "subject"] as const;
export type Filter = (typeof FILTERS)[number];

/** Reads a query from the URL; malformed values are ignored. */
export function readCatalogueQuery(params: URLSearchParams): CatalogueQuery {
  const page = Number(params.get("page"));
  return {
    q: readText(params, "q"),
    publisher: readText(params, "publisher"),
    course: readText(params, "course"),
    subject: readText(params, "subject"),
    page: Number.isSafeInteger(page) && page > 0 ? Math.min(page, LAST_NUMBERED_PAGE) : 1,
    after: readCursor(params.get("after")),
    before: readCursor(params.get("before")),
  };
}

/** The canonical URL of a query; defaults are left out, so that each state has one URL. */
export function catalogueHref(query: Partial<CatalogueQuery>): string {
  const params = new URLSearchParams();
  for (const name of ["q", ...FILTERS] as const) if (query[name]) params.set(name, query[name]);
  if (query.after) params.set("after", writeCursor(query.after));
  else if (query.before) params.set("before", writeCursor(query.before));
  else if (query.page && query.page > 1) params.set("page", String(query.page));
  // Spaces as %20, as in the spec.
  const text = params.toString().replaceAll("+", "%20");
  return text ? `/shop?${text}` : "/shop";
}

/** The same search and filters, on the first page. */
export function withoutPage(query: CatalogueQuery): CatalogueQuery {
  return { ...query, page: 1, after: null, before: null };
}

function readText(params: URLSearchParams, name: string): string {
  return cutSearchText(params.get(name) ?? "");
}

function readCursor(value: string | null): CatalogueCursor | null {
  if (value?.[36] !== "~") return null;
  const id = value.slice(0, 36);
  return isUuid(id) ? { id, title: value.slice(37).toWellFormed().replaceAll("\0", "") } : null;
}

function writeCursor({ id, title }: CatalogueCursor): string {
  return `${id}~${title}`;
}
