import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { createStorefrontChunk } from "../../vite.storefront.ts";
import { featureOrder } from "./feature-order.ts";

const root = join(import.meta.dirname, "../..");
const sources = globSync("app/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));

/** Imports of a later feature, static or lazy, as "file imports feature". */
function laterImports(file: string, source: string): string[] {
  const feature = /^app\/features\/([^/]+)\//.exec(file)?.[1];
  if (!feature) return [];
  return [...source.matchAll(/(?:from|import)\s*\(?\s*"#app\/features\/([^/"]+)\//g)]
    .map(([, imported = ""]) => imported)
    .filter((imported) => featureOrder.indexOf(imported) > featureOrder.indexOf(feature))
    .map((imported) => `${file} imports ${imported}`);
}

/** Imports of the back office's components where a visitor would download them, as "file imports component". */
function officeImports(file: string, source: string): string[] {
  if (/^app\/(components\/office|features\/admin|routes\/admin)\//.test(file)) return [];
  return [...source.matchAll(/(?:from|import)\s*\(?\s*"(?:#app\/components|\.)\/office\/([^"]+)"/g)].map(
    ([, imported = ""]) => `${file} imports ${imported}`,
  );
}

/** A table, view or function of the database that is called here. */
const callsDatabase = (source: string) =>
  /\.rpc\(|(?<!Array|Object|Buffer|Uint8Array)\s*\.from\("/.test(source);
const isQueries = (file: string) => /\.(admin-)?queries\.ts$/.test(file);

describe("features", () => {
  it("are all in the order, and the order names no others", () => {
    const folders = readdirSync(join(root, "app/features"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect([...featureOrder].sort()).toEqual(folders.sort());
  });

  it("import only features before them", () => {
    expect(sources.flatMap(({ file, source }) => laterImports(file, source))).toEqual([]);
  });

  it("cannot import a later feature, statically or lazily", () => {
    const file = "app/features/books/planted.ts";
    expect(laterImports(file, 'import { a } from "#app/features/catalogue/a.ts";')).toHaveLength(1);
    expect(laterImports(file, 'const a = () => import("#app/features/cart/a.ts");')).toHaveLength(1);
    expect(laterImports(file, 'import { a } from "#app/features/session/a.ts";')).toEqual([]);
  });

  it("use the back office's components only in the back office", () => {
    expect(sources.flatMap(({ file, source }) => officeImports(file, source))).toEqual([]);
    const shop = "app/features/cart/planted.tsx";
    expect(officeImports(shop, 'import { Panel } from "#app/components/office/panel.tsx";')).toHaveLength(1);
    expect(officeImports("app/components/planted.tsx", 'import("./office/panel.tsx");')).toHaveLength(1);
  });

  it("query the database only in *.queries.ts files", () => {
    const others = sources.filter(({ file, source }) => !isQueries(file) && callsDatabase(source));
    expect(others.map(({ file }) => file)).toEqual([]);
    const asking = sources.filter(({ source }) => callsDatabase(source));
    expect(asking.length).toBeGreaterThan(10);
  });
});

describe("the storefront's chunk", () => {
  const importers: Record<string, string[]> = {
    "app/lib/used.ts": ["app/root.tsx?__client-route"],
    "app/lib/used-by-used.ts": ["app/lib/used.ts"],
    "app/lib/circle.ts": ["app/lib/circle.ts"],
    "node_modules/library.js": ["app/lib/used.ts"],
  };
  const importersOf = (id: string) => (importers[relative(root, id)] ?? []).map((file) => join(root, file));
  const bundle = { getModuleInfo: (id: string) => ({ importers: importersOf(id) }) };

  it("is refused when it names a file that does not exist", () => {
    expect(() => createStorefrontChunk(root)).not.toThrow();
    expect(() => createStorefrontChunk(root, ["app/renamed.tsx"])).toThrow(
      "The storefront's chunk names missing files: app/renamed.tsx",
    );
  });

  it("contains what its files import, however indirectly, and nothing of node_modules", () => {
    const chunkOf = createStorefrontChunk(root, ["app/root.tsx"]);
    const named = (file: string) => chunkOf(join(root, file), bundle);
    expect(named("app/lib/used.ts")).toBe("storefront");
    expect(named("app/lib/used-by-used.ts")).toBe("storefront");
    expect(named("app/lib/circle.ts")).toBeNull();
    expect(named("node_modules/library.js")).toBeNull();
  });
});
