import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { isOwnPage, isStorable } from "./stored.ts";

/** Paths of the site's pages, with something in place of each parameter. */
function pathsOf(entries: readonly RouteConfigEntry[], base = ""): string[] {
  return entries.flatMap(({ path, children = [] }) => {
    const here = path ? `${base}/${path}` : base;
    const own = children.length > 0 ? [] : [here.replaceAll(/:\w+\??/g, "1") || "/"];
    return [...own, ...pathsOf(children, here)];
  });
}

test("Every page is listed as public and storable, as storable for its own user, or as never stored", () => {
  const paths = pathsOf(routes);
  expect(paths.filter(isStorable).sort()).toEqual(
    [
      "/",
      "/about",
      "/books/1/1",
      "/bulk-order",
      "/contact",
      "/delivery-and-returns",
      "/events/1",
      "/guidance",
      "/lists/1",
      "/lists/1/poster",
      "/privacy",
      "/products",
      "/products/1",
      "/search",
      "/shop",
      "/terms",
      "/wishlist",
    ].sort(),
  );
  expect(paths.filter(isOwnPage).sort()).toEqual([
    "/account",
    "/order-confirmation/1",
    "/orders",
    "/quotes/1",
  ]);
  expect(paths.filter((path) => !isStorable(path) && !isOwnPage(path)).sort()).toEqual(
    [
      "/*",
      "/auth",
      "/auth/reset",
      "/checkout",
      "/offline",
      "/orders/1/receipt",
      "/robots.txt",
      "/site.webmanifest",
      "/sitemap.xml",
      "/suggestions",
      "/admin",
      "/admin/scan",
      "/admin/activity",
      "/admin/booklists/1",
      "/admin/books/1",
      "/admin/counts/1",
      "/admin/events/1",
      "/admin/orders/1/1",
      "/admin/payments",
      "/admin/publishers",
      "/admin/purchases/1/1",
      "/admin/receiving/1",
      "/admin/reports",
      "/admin/quotes/1",
      "/admin/consultations/1",
      "/admin/reviews",
      "/admin/settings",
      "/admin/stock/1",
      "/admin/suppliers",
      "/admin/users/1",
    ].sort(),
  );
  expect(paths.filter((path) => isStorable(path) && isOwnPage(path))).toEqual([]);
  expect(isOwnPage("/quotes")).toBe(true);
  expect(isOwnPage("/quotes/new")).toBe(false);
  expect(isStorable("/shopping")).toBe(false);
  expect(isStorable("/rest/v1/books")).toBe(false);
});
