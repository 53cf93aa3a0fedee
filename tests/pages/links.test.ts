import { expect, test } from "vitest";
import { publicPages } from "#app/features/site/navigation.ts";
import routes from "#app/routes.ts";
import { linksOf, readPage } from "#tests/support/read-page.ts";
import { demoPublishers } from "../../supabase/seed/demo-publishers.ts";

type Entry = { file: string; path?: string; children?: Entry[] };

/** Pages without a link: every page has the search as a form, and the service worker shows the other one. */
const UNLINKED = ["/search", "/offline"];

/** The addresses of the storefront's public pages, apart from those of one book, list or publisher. */
function publicPaths({ file, path = "", children }: Entry): string[] {
  if (children) return children.flatMap(publicPaths);
  const isPublic = file.startsWith("routes/shop/") || path === "auth";
  return isPublic && !/[:*]/.test(path) ? [`/${path}`] : [];
}

/** The paths of the shop's pages that a page links to, without JavaScript. */
async function linkedFrom(path: string): Promise<Set<string>> {
  const { document } = await readPage(path);
  const paths = linksOf(document).map(([, href]) => /^\/(?!\/)[^?#]*/.exec(href)?.[0]);
  return new Set(paths.filter((linked) => linked !== undefined));
}

test("every public page is at most two links from the home page", async () => {
  const [shopRoutes] = routes as Entry[];
  const pages = new Set([
    ...(shopRoutes ? publicPaths(shopRoutes) : []),
    ...publicPages.map(({ to }) => to),
    ...demoPublishers.map(({ slug }) => `/products/${slug}`),
  ]);
  for (const path of UNLINKED) expect(pages.delete(path), path).toBe(true);
  expect(pages.size).toBeGreaterThan(12);

  const first = await linkedFrom("/");
  const reached = new Set(["/", ...first]);
  for (const path of first) for (const linked of await linkedFrom(path)) reached.add(linked);
  expect([...pages].filter((path) => !reached.has(path))).toEqual([]);
});
