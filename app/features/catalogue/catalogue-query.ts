import type { BookKind } from "#app/features/books/kinds.ts";
import { priceSteps } from "#shared/owner/price-steps.ts";
import { cutSearchText, type SearchOrder } from "#shared/text/search-text.ts";
import { isUuid } from "#shared/text/uuid.ts";

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
  grade: string;
  /** One of PRICE_RANGES. */
  price: string;
  /** "in", or empty for all books. */
  stock: string;
  /** A BookKind, or empty for all. */
  kind: string;
  /** One of SORTS; empty for the usual order. */
  sort: string;
  /** The order without a chosen one. */
  usual: SearchOrder;
  page: number;
  after: CatalogueCursor | null;
  before: CatalogueCursor | null;
};

export const FILTERS = ["publisher", "course", "subject"] as const;
export type Filter = (typeof FILTERS)[number];

/** Filters in addition to the specified ones. */
/** Written out, because importing the list would load the code of book cards too early. */
const kinds = Object.keys({ book: 1, digital: 1, stationery: 1 } satisfies Record<BookKind, 1>);

export const MORE_FILTERS = ["grade", "price", "stock", "kind"] as const;

const SORTS = ["title", "best", "price", "price-desc", "newest", "rating"] as const;

/** In whole cedis: "0-50", "50-100" … "400-"; the upper end is not included. */
export const PRICE_RANGES: readonly string[] = [0, ...priceSteps].map(
  (from, at) => `${from}-${priceSteps[at] ?? ""}`,
);

/** The fields of the catalogue's forms, in URL order. */
const FIELDS = ["q", ...FILTERS, ...MORE_FILTERS, "sort"] as const;
export type Field = (typeof FIELDS)[number];

/**
 * Reads a query from the URL; malformed values are ignored.
 * @param searchOrder the shop's own order for a searched text; needed only where books are read
 */
export function readCatalogueQuery(params: URLSearchParams, searchOrder?: SearchOrder): CatalogueQuery {
  const page = Number(params.get("page"));
  const oneOf = (name: Field, values: readonly string[]) =>
    values.find((value) => value === params.get(name)) ?? "";
  const q = readText(params, "q");
  const chosen = oneOf("sort", SORTS);
  // Without a text, nothing matches better than anything else.
  const sort = chosen === searchOrder || (!q && (chosen === "title" || chosen === "best")) ? "" : chosen;
  const usual = (q && searchOrder) || "title";
  const byTitle = (sort || usual) === "title";
  return {
    q,
    publisher: readText(params, "publisher"),
    course: readText(params, "course"),
    subject: readText(params, "subject"),
    grade: readText(params, "grade"),
    price: oneOf("price", PRICE_RANGES),
    stock: oneOf("stock", ["in"]),
    kind: oneOf("kind", kinds),
    sort,
    usual,
    page: Number.isSafeInteger(page) && page > 0 ? Math.min(page, LAST_NUMBERED_PAGE) : 1,
    // A cursor works only with the order of titles.
    after: byTitle ? readCursor(params.get("after")) : null,
    before: byTitle ? readCursor(params.get("before")) : null,
  };
}

/** One of SORTS: the order in which the books are shown. */
export const orderOf = ({ sort, usual }: CatalogueQuery) => sort || usual;

/** The canonical URL of a query; defaults are left out, so that each state has one URL. */
export function catalogueHref(query: Partial<CatalogueQuery>): string {
  const params = new URLSearchParams();
  for (const name of FIELDS) if (query[name]) params.set(name, query[name]);
  if (query.after) params.set("after", writeCursor(query.after));
  else if (query.before) params.set("before", writeCursor(query.before));
  else if (query.page && query.page > 1) params.set("page", String(query.page));
  // Spaces as %20, as in the spec.
  const text = params.toString().replaceAll("+", "%20");
  return text ? `/shop?${text}` : "/shop";
}

/**
 * The address that search engines index for a query: each page of the whole catalogue has its own, and a search, a filter
 * or another order shows the same books as they do.
 */
export function indexedHref(query: CatalogueQuery): string {
  const isWhole = catalogueHref(withoutPage(query)) === "/shop";
  return isWhole ? catalogueHref(query) : "/shop";
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
