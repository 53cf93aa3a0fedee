import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import routes from "#app/routes.ts";
import { encode, PAGE_QUALITY } from "#server/web/page-forms.ts";
import { demoShop } from "#tests/support/demo-shop.ts";
import { shopPages } from "#tests/support/shop-pages.ts";

const build = join(import.meta.dirname, "../../build");

type Part = { module: string; imports?: string[]; css?: string[] };
type Manifest = {
  url: string;
  entry: Part;
  routes: Record<string, Part & { id: string; parentId?: string }>;
};

const JAVASCRIPT_BYTES = 124_000;
const CSS_BYTES = 14_000;
const HTML_BYTES = 14_000;

/** What the build says each page needs. */
let manifest: Manifest;
beforeAll(async () => {
  manifest = (await import(/* @vite-ignore */ `${build}/server/index.js`)).assets;
});

/** The files of a page's first load by a visitor: the entry, the route, and the routes around it, with all they import. */
function filesOf(routeId: string) {
  const parts: Part[] = [manifest.entry];
  for (let id: string | undefined = routeId; id; id = manifest.routes[id]?.parentId) {
    const route = manifest.routes[id];
    expect(route, `the route ${id}`).toBeDefined();
    if (route) parts.push(route);
  }
  const scripts = new Set([
    manifest.url,
    ...parts.flatMap(({ module, imports = [] }) => [module, ...imports]),
  ]);
  const styles = new Set(parts.flatMap(({ css = [] }) => css.map((path) => path.replace("#", ""))));
  return { scripts: [...scripts], styles: [...styles] };
}

/** Compressed sizes by path: most files are part of every page. */
const sizes = new Map<string, number>();

function compressedSize(path: string): number {
  const size = sizes.get(path) ?? brotliCompressSync(readFileSync(join(build, "client", path))).length;
  sizes.set(path, size);
  return size;
}

const total = (paths: string[]) => paths.map(compressedSize).reduce((sum, size) => sum + size, 0);

type Entry = { file: string; path?: string; children?: Entry[] };

/** The pages that a visitor may come to first: path and route id. */
function visitorPages({ file, path = "", children }: Entry): [path: string, routeId: string][] {
  if (children) return children.flatMap(visitorPages);
  const isPublic = file.startsWith("routes/shop/") || path === "auth";
  return isPublic ? [[`/${path}`, file.replace(/\.tsx?$/, "")]] : [];
}

const [shopRoutes] = routes as Entry[];
if (!shopRoutes) throw new Error("app/routes.ts lists no pages");

test.each(visitorPages(shopRoutes))(
  "a first load of %s stays within the budgets of compressed JavaScript and CSS",
  (_, routeId) => {
    const { scripts, styles } = filesOf(routeId);
    expect(scripts.length, "scripts found").toBeGreaterThan(3);
    expect(styles.length, "style sheets found").toBeGreaterThan(0);
    expect(total(scripts), "bytes of JavaScript").toBeLessThanOrEqual(JAVASCRIPT_BYTES);
    expect(total(styles), "bytes of CSS").toBeLessThanOrEqual(CSS_BYTES);
  },
);

test("every page of the back office has its style sheet, and no other page downloads it", () => {
  const sheetsOf = (routeId: string) => filesOf(routeId).styles.join(" ");
  const office = sheetsOf("routes/admin/layout").split(" ").at(-1) ?? "";
  const having = Object.keys(manifest.routes).filter((routeId) => sheetsOf(routeId).includes(office));
  expect(having.sort()).toEqual(
    Object.keys(manifest.routes)
      .filter((routeId) => routeId.startsWith("routes/admin/"))
      .sort(),
  );
});

test.each([...shopPages, "/auth"])(
  "the HTML of %s stays within its budget, compressed as visitors get it",
  async (path) => {
    const html = Buffer.from(
      await (await fetch(demoShop().url + path, { headers: { Connection: "close" } })).arrayBuffer(),
    );
    expect((await encode(html, "br", PAGE_QUALITY)).length).toBeLessThanOrEqual(HTML_BYTES);
  },
);
