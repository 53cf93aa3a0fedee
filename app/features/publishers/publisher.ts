/** The publishers of the shop: what menus and lists show of them. */

/** Where customers see a publisher: in menus and on the page of all publishers, only there, or nowhere. */
export const SHOWN = ["menu", "page", "nowhere"] as const;
export type Shown = (typeof SHOWN)[number];

/** What a publisher's page shows: the titles listed with it, or its books in the catalogue. */
export const PAGE_KINDS = ["showcase", "live"] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

export interface MenuPublisher {
  /** As in books.publisher and in links. */
  name: string;
  /** In the publisher page's path, /products/{slug}. */
  slug: string;
}

export interface Publisher extends MenuPublisher {
  logo_url: string | null;
  /** Its drawn mark, from 1. */
  mark: number;
  /** Series, stages and uses that schools ask for, the most popular first. */
  known_for: string[];
  shown: Shown;
  /** Whether the shop's publisher filter offers the name; links to the filter work for every publisher. */
  in_filter: boolean;
}

/** A title that a publisher's page lists, whether or not the shop sells it now. */
export interface ListedTitle {
  title: string;
  /** In cedis. */
  price: number;
  /** Out of 5. */
  rating: number | null;
  level: string | null;
  subject: string | null;
}

export function publisherPagePath(slug: string): `/products/${string}` {
  return `/products/${slug}`;
}

/** The shop filtered by publisher; works for any name. */
export function publisherShopPath(name: string): string {
  return `/shop?publisher=${encodeURIComponent(name)}`;
}

/** Choices of the back office's publisher lists: the shop's publishers and all those in the catalogue. */
export function allPublisherNames(own: Iterable<string>, inCatalogue: Iterable<string>): string[] {
  return [...new Set([...own, ...inCatalogue])].sort((a, b) => a.localeCompare(b, "en-GB"));
}
