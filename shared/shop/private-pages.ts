/**
 * Pages about one person, and the back office, each with all pages below it. Search engines neither read nor list them:
 * robots.txt and each page's head follow from this list, and so does which of them a browser stores for use offline.
 */

type PrivatePage = {
  path: string;
  /** Of the path and those below it, what a browser stores for its signed-in user, by the path's end. */
  stored?: RegExp;
  /** Its document is empty until the browser fills it, and stored for everybody. */
  storedForAll?: true;
};

const privatePages: readonly PrivatePage[] = [
  { path: "/account", stored: /^$/ },
  { path: "/admin" },
  { path: "/auth/reset" },
  { path: "/checkout" },
  // Its address names the order.
  { path: "/order-confirmation", stored: /^\/[^/]+$/ },
  { path: "/orders", stored: /^$/ },
  { path: "/quotes", stored: /^(?:\/(?!new$)[^/]+)?$/ },
  { path: "/wishlist", storedForAll: true },
];

export const privatePaths = () => privatePages.map(({ path }) => path);

const pageAt = (pathname: string): PrivatePage | undefined =>
  privatePages.find(({ path }) => pathname.startsWith(path) && /^(?:\/|$)/.test(pathname.slice(path.length)));

/** @param path may have a query */
export function isPrivatePage(path: string): boolean {
  return pageAt(path.split("?", 1)[0] ?? "") !== undefined;
}

/** Whether a browser may store the page while its user is signed in. */
export function isStoredForUser(pathname: string): boolean {
  const page = pageAt(pathname);
  return page?.stored?.test(pathname.slice(page.path.length)) ?? false;
}

export function isStoredForAll(pathname: string): boolean {
  return pageAt(pathname)?.storedForAll ?? false;
}
