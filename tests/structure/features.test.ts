import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { createStorefrontChunk } from "../../vite.storefront.ts";
import { featureGroups } from "./feature-groups.ts";
import { upwardArrows } from "./groups.ts";

const { groups, groupOf, mayImport } = featureGroups;

const root = join(import.meta.dirname, "../..");
const sources = globSync("app/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));

/** Imports of other features, static or lazy, each as the importing and the imported feature. */
function featureImports(file: string, source: string): { feature: string; imported: string }[] {
  const feature = /^app\/features\/([^/]+)\//.exec(file)?.[1];
  if (!feature) return [];
  return [...source.matchAll(/(?:from|import)\s*\(?\s*"#app\/features\/([^/"]+)\//g)].map(
    ([, imported = ""]) => ({ feature, imported }),
  );
}

/** Imports against the arrows, as "file imports feature". */
function wrongImports(file: string, source: string): string[] {
  return featureImports(file, source)
    .filter(({ feature, imported }) => !mayImport(feature, imported))
    .map(({ imported }) => `${file} imports ${imported}`);
}

/** A table, view or function of the database that is called here. */
const callsDatabase = (source: string) =>
  /\.rpc\(|(?<!Array|Object|Buffer|Uint8Array)\s*\.from\("/.test(source);
const isQueries = (file: string) => /\.(admin-)?queries\.ts$/.test(file);

describe("features", () => {
  it("each have one group, and the groups name no others", () => {
    const folders = readdirSync(join(root, "app/features"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(groups.flatMap(({ folders }) => [...folders]).sort()).toEqual(folders.sort());
  });

  it("import only features of the groups their group names, and those before them in their own", () => {
    expect(sources.flatMap(({ file, source }) => wrongImports(file, source))).toEqual([]);
  });

  it("use each arrow between groups, and a group imports only groups above it", () => {
    const used = new Set(
      sources
        .flatMap(({ file, source }) => featureImports(file, source))
        .map(({ feature, imported }) => `${groupOf(feature)?.name} -> ${groupOf(imported)?.name}`),
    );
    const arrows = groups.flatMap(({ name, imports }) => imports.map((other) => `${name} -> ${other}`));
    expect(arrows.filter((arrow) => !used.has(arrow))).toEqual([]);
    expect(upwardArrows(groups)).toEqual([]);
  });

  it("cannot import a feature against the arrows, statically or lazily", () => {
    const file = "app/features/books/planted.ts";
    expect(wrongImports(file, 'import { a } from "#app/features/reviews/a.ts";')).toHaveLength(1);
    expect(wrongImports(file, 'const a = () => import("#app/features/cart/a.ts");')).toHaveLength(1);
    expect(wrongImports(file, 'import { a } from "#app/features/unknown/a.ts";')).toHaveLength(1);
    expect(wrongImports(file, 'import { a } from "#app/features/session/a.ts";')).toEqual([]);
    expect(wrongImports(file, 'import { a } from "#app/features/publishers/a.ts";')).toEqual([]);
  });

  it("query the database only in *.queries.ts files", () => {
    const others = sources.filter(({ file, source }) => !isQueries(file) && callsDatabase(source));
    expect(others.map(({ file }) => file)).toEqual([]);
    const querying = sources.filter(({ source }) => callsDatabase(source));
    expect(querying.length).toBeGreaterThan(10);
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
