import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, it } from "vitest";
import { DUTIES } from "#app/features/session/duties.ts";
import routes from "#app/routes.ts";
import { mayOpen } from "./duties.tsx";
import { addedDuties } from "./duty-texts.ts";
import { dutiesFor, officePages } from "./office-pages.ts";

/** Paths below /admin, with something in place of each parameter. */
function pathsOf(entries: readonly RouteConfigEntry[], base = ""): string[] {
  return entries.flatMap(({ path, children = [] }) => {
    const here = path ? `${base}/${path}` : base;
    return children.length > 0 ? pathsOf(children, here) : [here.replaceAll(/:\w+\??/g, "1")];
  });
}
const paths = pathsOf(routes).filter((path) => path.startsWith("/admin"));

it("lists every page of the back office, and no entry without a page", () => {
  const isBelow = (path: string, to: string) => path === to || (to !== "/admin" && path.startsWith(`${to}/`));
  expect(paths.filter((path) => !officePages.some(({ to }) => isBelow(path, to)))).toEqual([]);
  // Parts of a page have no route of their own.
  expect(officePages.filter(({ to, entry }) => entry && !paths.some((path) => isBelow(path, to)))).toEqual(
    [],
  );
  expect(paths.length).toBeGreaterThan(15);
});

it("leaves a page that is not listed to admins", () => {
  for (const path of ["/admin/salaries", "/admin/orders-of-staff", "/administration"]) {
    expect(dutiesFor(path)).toEqual([]);
    expect(mayOpen({ isAdmin: false, duties: DUTIES, missing: null }, path)).toBe(false);
    expect(mayOpen({ isAdmin: true, duties: DUTIES, missing: null }, path)).toBe(true);
  }
});

it.each([
  ["/admin/orders/1042", ["orders"]],
  ["/admin/orders?order=1042", ["orders"]],
  ["/admin/books?book=1", ["catalogue", "stock"]],
  ["/admin/books/import?id=1", ["catalogue"]],
  ["/admin/books/digital?book=1", ["catalogue"]],
  ["/admin/activity?table=books", []],
])("opens %s with %j", (path, duties) => {
  expect(dutiesFor(path)).toEqual(duties);
});

it("opens something with each duty, except those that only add to others", () => {
  const opening = new Set(officePages.flatMap(({ duties }) => (duties === "any" ? [] : duties)));
  expect(DUTIES.filter((duty) => !opening.has(duty))).toEqual(addedDuties);
});
