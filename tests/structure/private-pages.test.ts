import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { isPrivatePage, isStoredForUser, privatePaths } from "#shared/shop/private-pages.ts";

/** Each page's path, with something in place of each parameter, and its file. */
function pagesOf(entries: readonly RouteConfigEntry[], base = ""): { path: string; file: string }[] {
  return entries.flatMap(({ path, file, children = [] }) => {
    const here = path ? `${base}/${path}` : base;
    if (children.length > 0) return pagesOf(children, here);
    return [{ path: here.replaceAll(/:\w+\??/g, "1") || "/", file }];
  });
}

test("each page of an account or of the back office is private, except the sign-in page", () => {
  const pages = pagesOf(routes);
  const personal = pages.filter(({ file }) => /^routes\/(?:account|admin)\//.test(file));
  expect(personal.map(({ path }) => path).filter((path) => !isPrivatePage(path))).toEqual(["/auth"]);
  const others = pages.filter((page) => !personal.includes(page));
  expect(others.map(({ path }) => path).filter(isPrivatePage)).toEqual([]);
  for (const page of privatePaths()) expect(personal.map(({ path }) => path).join(" ")).toContain(page);
});

test("a private page is private with a query and in every subpath, but not another page with the same prefix", () => {
  for (const path of ["/orders", "/orders/", "/orders?page=2", "/orders/1/receipt"])
    expect(isPrivatePage(path)).toBe(true);
  for (const path of ["/", "/orders-by-post", "/shop?q=/orders"]) expect(isPrivatePage(path)).toBe(false);
});

test("an order's address is stored for its user, its receipt never", () => {
  expect(isStoredForUser("/orders")).toBe(true);
  for (const path of ["/orders/1/receipt", "/orders-by-post", "/checkout"])
    expect(isStoredForUser(path)).toBe(false);
});
