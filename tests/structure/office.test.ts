import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { upwardArrows } from "./groups.ts";
import { officeRooms } from "./office-rooms.ts";

const { groups: rooms, groupOf: roomOf, mayImport } = officeRooms;
const root = join(import.meta.dirname, "../..");
const sources = globSync("app/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));

/** A file's folder in the office, such as "sales/orders". */
const folderOf = (file: string) => /^app\/office\/(.+)\/[^/]+$/.exec(file)?.[1];

/** The office's files that a file imports, statically or lazily, from the app's folder. */
const officeImports = (file: string, source: string) =>
  [...source.matchAll(/(?:from|import|new URL)\s*\(?\s*"(\.{1,2}\/|#app\/)([^"]+)"/g)]
    .map(([, start = "", path = ""]) =>
      start === "#app/" ? join("app", path) : join(dirname(file), start, path),
    )
    .filter((path) => path.startsWith("app/office/"));

/** Imports between folders of the office, each as the importing and the imported folder. */
const folderImports = (file: string, source: string) =>
  officeImports(file, source).flatMap((path) => {
    const [folder, imported] = [folderOf(file), folderOf(path)];
    return folder && imported && folder !== imported ? [{ folder, imported }] : [];
  });

/** Imports against the arrows, as "file imports folder". */
const wrongImports = (file: string, source: string) =>
  folderImports(file, source)
    .filter(({ folder, imported }) => !mayImport(folder, imported))
    .map(({ imported }) => `${file} imports ${imported}`);

/** Imports of the office where a visitor would download it, as "file imports file". */
const importsFromOutside = (file: string, source: string) =>
  /^app\/(office|routes\/admin)\//.test(file)
    ? []
    : officeImports(file, source).map((path) => `${file} imports ${path}`);

describe("the office's folders", () => {
  it("each stand in one room", () => {
    const folders = new Set(sources.flatMap(({ file }) => folderOf(file) ?? []));
    expect(rooms.flatMap((room) => [...room.folders]).sort()).toEqual([...folders].sort());
    for (const { name, folders: own } of rooms)
      for (const folder of own) expect(folder.split("/")[0]).toBe(name);
  });

  it("import only folders of the rooms their room names, and those before them in their own", () => {
    expect(sources.flatMap(({ file, source }) => wrongImports(file, source))).toEqual([]);
  });

  it("use each arrow between rooms, and a room imports only rooms above it", () => {
    const used = new Set(
      sources
        .flatMap(({ file, source }) => folderImports(file, source))
        .map(({ folder, imported }) => `${roomOf(folder)?.name} -> ${roomOf(imported)?.name}`),
    );
    const arrows = rooms.flatMap(({ name, imports }) => imports.map((other) => `${name} -> ${other}`));
    expect(arrows.filter((arrow) => !used.has(arrow))).toEqual([]);
    expect(upwardArrows(rooms)).toEqual([]);
  });

  it.each([
    ["catalogue/books/planted.ts", "#app/office/sales/orders/order-table.tsx"],
    ["sales/payments/planted.ts", "#app/office/sales/orders/order-table.tsx"],
    ["shop/settings/planted.ts", "#app/office/shop/opening/first-steps.ts"],
    ["stock/purchases/planted.ts", "./needs/needs-page.tsx"],
    ["frame/planted.ts", "./export/export-table.ts"],
    ["frame/planted.ts", "#app/office/people/users/user-table.tsx"],
    ["components/planted.ts", "#app/office/frame/admin-data.ts"],
    ["sales/orders/planted.ts", "#app/office/unlisted/a.ts"],
  ])("don't allow %s to import %s", (file, imported) => {
    expect(wrongImports(`app/office/${file}`, `import { a } from "${imported}";`)).toHaveLength(1);
    expect(wrongImports(`app/office/${file}`, `const a = () => import("${imported}");`)).toHaveLength(1);
  });

  it.each([
    ["sales/orders/planted.ts", "#app/office/sales/payments/payment-form.ts"],
    ["sales/orders/planted.ts", "#app/office/catalogue/books/book.admin-queries.ts"],
    ["sales/orders/planted.ts", "#app/features/orders/order.ts"],
    ["sales/orders/planted.ts", "./pick-list.ts"],
  ])("allow %s to import %s", (file, imported) => {
    expect(wrongImports(`app/office/${file}`, `import { a } from "${imported}";`)).toEqual([]);
  });

  it("are imported only by the office and its routes", () => {
    expect(sources.flatMap(({ file, source }) => importsFromOutside(file, source))).toEqual([]);
    const planted = 'import { Panel } from "#app/office/components/panel.tsx";';
    for (const file of [
      "features/cart/a.tsx",
      "components/a.tsx",
      "routes/shop/a.tsx",
      "root.tsx",
      "lib/a.ts",
    ])
      expect(importsFromOutside(`app/${file}`, planted)).toHaveLength(1);
    expect(importsFromOutside("app/routes/admin/a.tsx", planted)).toEqual([]);
  });
});
