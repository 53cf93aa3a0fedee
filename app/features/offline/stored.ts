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
 * Pages that may be stored: those that are the same for everyone and reveal nothing about who opened them. The
 * wishlist's is empty until the browser fills it. Orders, quotes, accounts and the back office are never stored.
 */
const STORABLE =
  /^\/(?:(?:about|books|bulk-order|contact|events|guidance|lists|products|search|shop|wishlist)(?:\/.*)?)?$/;

export function isStorable(pathname: string): boolean {
  return STORABLE.test(pathname);
}
