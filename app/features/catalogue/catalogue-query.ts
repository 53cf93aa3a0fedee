/** Search text is cut to this many code points, and shown cut in the box. */
export const SEARCH_LENGTH = 200;
export const PAGE_SIZE = 24;
/** Deeper pages are reached by next and previous links alone, which carry the place instead of a number. */
export const LAST_NUMBERED_PAGE = 100;

/** The place of a book in the catalogue's order: lower-case title, then id. */
export type ShelfPlace = { title: string; id: string };

/** What the shop shows, as its URL says it. The URL is the only state. */
export type CatalogueQuery = {
  q: string;
  publisher: string;
  course: string;
  subject: string;
  page: number;
  after: ShelfPlace | null;
  before: ShelfPlace | null;
};

export const FILTERS = ["publisher", "course", "subject"] as const;
export type Filter = (typeof FILTERS)[number];

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads a query from the URL; what is malformed counts as absent. */
export function readCatalogueQuery(params: URLSearchParams): CatalogueQuery {
  const page = Number(params.get("page"));
  return {
    q: readText(params, "q"),
    publisher: readText(params, "publisher"),
    course: readText(params, "course"),
    subject: readText(params, "subject"),
    page: Number.isSafeInteger(page) && page > 0 ? Math.min(page, LAST_NUMBERED_PAGE) : 1,
    after: readPlace(params.get("after")),
    before: readPlace(params.get("before")),
  };
}

/** The shop's address for a query; defaults are left out, so that each state has one address. */
export function catalogueHref(query: Partial<CatalogueQuery>): string {
  const params = new URLSearchParams();
  for (const name of ["q", ...FILTERS] as const) if (query[name]) params.set(name, query[name]);
  if (query.after) params.set("after", writePlace(query.after));
  else if (query.before) params.set("before", writePlace(query.before));
  else if (query.page && query.page > 1) params.set("page", String(query.page));
  // Addresses are read by people: spaces as %20, as the spec writes them.
  const text = params.toString().replaceAll("+", "%20");
  return text ? `/shop?${text}` : "/shop";
}

/** The same search and filters from their first page. */
export function withoutPlace(query: CatalogueQuery): CatalogueQuery {
  return { ...query, page: 1, after: null, before: null };
}

/** Trims search text and cuts it to what the database takes; lone surrogates would be no valid text. */
export function cutSearchText(text: string): string {
  return [...text.toWellFormed().replaceAll("\0", "").trim()].slice(0, SEARCH_LENGTH).join("").trim();
}

function readText(params: URLSearchParams, name: string): string {
  return cutSearchText(params.get(name) ?? "");
}

function readPlace(value: string | null): ShelfPlace | null {
  if (value?.[36] !== "~") return null;
  const id = value.slice(0, 36);
  return uuid.test(id) ? { id, title: value.slice(37).toWellFormed().replaceAll("\0", "") } : null;
}

function writePlace({ id, title }: ShelfPlace): string {
  return `${id}~${title}`;
}
