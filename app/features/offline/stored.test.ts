import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { isStorable } from "./stored.ts";

/** Paths of the site's pages, with something in place of each parameter. */
function pathsOf(entries: readonly RouteConfigEntry[], base = ""): string[] {
  return entries.flatMap(({ path, children = [] }) => {
    const here = path ? `${base}/${path}` : base;
    const own = children.length > 0 ? [] : [here.replaceAll(/:\w+\??/g, "1") || "/"];
    return [...own, ...pathsOf(children, here)];
  });
}

test("Pages that are the same for everybody may be stored, and personal ones never: each new page must be listed as one or the other", () => {
  const paths = pathsOf(routes);
  expect(paths.filter(isStorable).sort()).toEqual(
    [
      ...["/", "/about", "/books/1/1", "/bulk-order", "/contact", "/events", "/guidance", "/lists/1"],
      ...[
        "/lists/1/poster",
        "/products",
        "/products/1",
        "/products/cambridge",
        "/search",
        "/shop",
        "/wishlist",
      ],
    ].sort(),
  );
  expect(paths.filter((path) => !isStorable(path)).sort()).toEqual(
    [
      ...[
        "/*",
        "/account",
        "/auth",
        "/auth/reset",
        "/checkout",
        "/offline",
        "/order-confirmation/1",
        "/orders",
      ],
      ...[
        "/orders/1/receipt",
        "/quotes/1",
        "/robots.txt",
        "/site.webmanifest",
        "/sitemap.xml",
        "/suggestions",
      ],
      ...["/admin", "/admin/activity", "/admin/booklists", "/admin/booklists/1", "/admin/books"],
      ...["/admin/books/import", "/admin/orders/1/1", "/admin/quotes/1", "/admin/reviews", "/admin/users"],
    ].sort(),
  );
  expect(isStorable("/shopping")).toBe(false);
  expect(isStorable("/rest/v1/books")).toBe(false);
});
