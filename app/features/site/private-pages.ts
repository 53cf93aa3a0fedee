/**
 * Pages about one person, and the back office, each with all pages below it. Search engines neither read nor list them:
 * robots.txt and each page's head follow from this list.
 */
export const PRIVATE_PAGES = [
  "/account",
  "/admin",
  "/auth/reset",
  "/checkout",
  "/order-confirmation",
  "/orders",
  "/quotes",
  "/wishlist",
] as const;

/** @param path may have a query */
export function isPrivatePage(path: string): boolean {
  return PRIVATE_PAGES.some((page) => path.startsWith(page) && /^(?:[/?]|$)/.test(path.slice(page.length)));
}
