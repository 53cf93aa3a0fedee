import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "@playwright/test";

const client = join(import.meta.dirname, "../../../build/client");

type Part = { module: string; imports?: string[]; css?: string[] };
type Manifest = {
  url: string;
  entry: Part;
  routes: Record<string, Part & { id: string; parentId?: string }>;
};

const JAVASCRIPT_BYTES = 120_000;
const CSS_BYTES = 14_000;

/** What the build says each page needs. */
async function readManifest(): Promise<Manifest> {
  const { assets } = await import("../../../build/server/index.js" as string);
  return assets;
}

/** The files of a page's first load by a visitor: the entry, the route, and the routes around it, with all they import. */
async function filesOf(routeId: string) {
  const manifest = await readManifest();
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

const compressedSize = (path: string) => brotliCompressSync(readFileSync(join(client, path))).length;
const total = (paths: string[]) => paths.map(compressedSize).reduce((sum, size) => sum + size, 0);

for (const [path, routeId] of [
  ["/", "routes/shop/home"],
  ["/shop", "routes/shop/shop"],
  ["/products/cambridge", "routes/shop/cambridge"],
  ["/products/cgp", "routes/shop/publisher"],
  ["/books/{id}/{slug}", "routes/shop/book"],
] as const)
  test(`A visitor's first load of ${path} is at most 120 kB of JavaScript and 14 kB of CSS, compressed`, async () => {
    const { scripts, styles } = await filesOf(routeId);
    expect(scripts.length, "scripts found").toBeGreaterThan(3);
    expect(styles.length, "style sheets found").toBeGreaterThan(0);
    expect(total(scripts), "bytes of JavaScript").toBeLessThanOrEqual(JAVASCRIPT_BYTES);
    expect(total(styles), "bytes of CSS").toBeLessThanOrEqual(CSS_BYTES);
  });
