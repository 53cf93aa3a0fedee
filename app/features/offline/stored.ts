import { isStoredForAll, isStoredForUser } from "#shared/shop/private-pages.ts";

/** What the service worker and the pages share about what this browser stores for use offline. */

/** The caches. A new format gets a new number, and the new worker deletes the old cache. */
export const CACHES = {
  /** Pages that were visited. */
  pages: "adwene-pages-1",
  /** Covers and pictures on them. */
  pictures: "adwene-pictures-1",
  /** Code, styles and fonts, whose names change with their content. */
  files: "adwene-files-1",
  /** The fallback page. */
  fallback: "adwene-fallback-1",
} as const;

export const FALLBACK_PATH = "/offline";

/** The message from an open page to the worker. */
export type Visit = {
  /** The path of the page, unless the worker has seen it itself or the browser saves data. */
  page: string | null;
  /** Files that were loaded before the worker was active. */
  files: string[];
};

/**
 * Public pages that the worker stores for everybody: they are the same for everyone and reveal nothing about who opened
 * them.
 */
const PUBLIC =
  /^\/(?:(?:about|books|bulk-order|contact|delivery-and-returns|events|guidance|lists|privacy|products|search|shop|terms)(?:\/.*)?)?$/;

/** Whether the worker stores the page for everybody. */
export function isStorable(pathname: string): boolean {
  return PUBLIC.test(pathname) || isStoredForAll(pathname);
}

/**
 * Whether the page may be stored while its user is signed in. Its document is empty until the browser fills it, but its
 * address may name an order or a quote: pages store it themselves. Checkout, documents and the back office never are.
 */
export const isOwnPage = isStoredForUser;
