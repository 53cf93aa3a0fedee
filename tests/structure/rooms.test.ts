import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** The rooms of shared/, and which of the others each may import: only those above it, so that no two need each other. */
const rooms: Record<string, string[]> = {
  text: [],
  tables: ["text"],
  calls: [],
  books: ["calls"],
  orders: ["tables", "calls"],
  shop: [],
  owner: ["text", "orders"],
};

/** The rooms of app/lib/, likewise; they import packages, and what is shared, too. */
const libRooms: Record<string, string[]> = {
  browser: [],
  backend: ["browser"],
  tables: ["browser"],
  pages: ["browser", "backend"],
  react: [],
};

/** What the server, commands and the demo import of app/, because it belongs to pages first. */
const ofApp: Record<string, string[]> = {
  // The type of what the build exports.
  server: ["app/entry.server.tsx"],
  // Books are imported by a command exactly as on the back office's page.
  scripts: [
    "app/office/catalogue/book-import/",
    "app/features/publishers/publisher-spelling.ts",
    "app/lib/backend/client.ts",
    "app/lib/backend/failure-message.ts",
    "app/lib/backend/retry.ts",
  ],
  // The demo's books and publishers have the fields that pages show.
  supabase: [
    "app/features/books/book-fields.ts",
    "app/features/books/kinds.ts",
    "app/features/publishers/publisher.ts",
  ],
};

type Import = { file: string; imported: string };

/** What a file imports, statically or lazily: paths from the root, and packages. */
function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, path = ""]) => {
    if (path.startsWith("#")) return { file, imported: path.slice(1) };
    return { file, imported: path.startsWith(".") ? join(dirname(file), path) : path };
  });
}

const importsIn = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => importsOf(file, readFileSync(join(root, file), "utf8")));

const roomOf = (file: string) => /^shared\/([^/]+)\//.exec(file)?.[1];
const libRoomOf = (file: string) => /^app\/lib\/([^/]+)\//.exec(file)?.[1];
const isOfApp = ({ imported }: Import) => imported.startsWith("app/");

function isAllowed({ file, imported }: Import): boolean {
  const [room, other] = [roomOf(file), roomOf(imported)];
  if (room) return other === room || (rooms[room]?.includes(other ?? "") ?? false);
  return ofApp[file.slice(0, file.indexOf("/"))]?.some((path) => imported.startsWith(path)) ?? false;
}

/** Arrows between rooms, as "room -> room". */
const arrowsOf = (imports: Import[], room: (file: string) => string | undefined) =>
  new Set(
    imports.flatMap(({ file, imported }) => {
      const [from, to] = [room(file), room(imported)];
      return from && to && from !== to ? [`${from} -> ${to}`] : [];
    }),
  );

/** The arrows that a table of rooms draws, each of which goes to an earlier room. */
function drawn(table: Record<string, string[]>): string[] {
  const names = Object.keys(table);
  return Object.entries(table).flatMap(([room, others]) =>
    others.map((other) => {
      expect(names.indexOf(other), `${room} -> ${other}`).toBeLessThan(names.indexOf(room));
      return `${room} -> ${other}`;
    }),
  );
}

describe("app/lib", () => {
  const imports = importsIn("app/lib/**/*.{ts,tsx}");

  it("has rooms with arrows in one direction, each of which some import needs", () => {
    expect([...arrowsOf(imports, libRoomOf)].sort()).toEqual(drawn(libRooms).sort());
  });

  it("has rooms, and no file beside them", () => {
    const found = globSync("app/lib/**/*.{ts,tsx}", { cwd: root }).map((file) => libRoomOf(file) ?? file);
    expect([...new Set(found)].sort()).toEqual(Object.keys(libRooms).sort());
  });

  it("finds an arrow in each way to import", () => {
    const file = "app/lib/browser/a.ts";
    for (const path of ["#app/lib/backend/client.ts", "../backend/client.ts"])
      for (const source of [`import { a } from "${path}";`, `await import("${path}");`])
        expect([...arrowsOf(importsOf(file, source), libRoomOf)]).toEqual(["browser -> backend"]);
  });
});

describe("what pages and the server share", () => {
  it("imports itself alone, in one direction", () => {
    const imports = importsIn("shared/**/*.ts");
    expect(imports.filter((one) => !isAllowed(one))).toEqual([]);
    expect([...arrowsOf(imports, roomOf)].sort()).toEqual(drawn(rooms).sort());
  });

  it("has rooms, and no file beside them", () => {
    const found = globSync("shared/**/*.ts", { cwd: root }).map((file) => roomOf(file) ?? file);
    expect([...new Set(found)].sort()).toEqual(Object.keys(rooms).sort());
  });

  it("leaves the server, commands and the demo few files of app/ to import", () => {
    const imports = importsIn("{server,scripts,supabase}/**/*.{ts,tsx,js}").filter(isOfApp);
    expect(imports.filter((one) => !isAllowed(one))).toEqual([]);
    for (const path of Object.values(ofApp).flat())
      expect(
        imports.some(({ imported }) => imported.startsWith(path)),
        path,
      ).toBe(true);
  });

  it.each([
    ["shared/text/a.ts", "#app/lib/browser/env.ts"],
    ["shared/text/a.ts", "../orders/delivery.ts"],
    ["shared/text/a.ts", "#shared/orders/delivery.ts"],
    ["shared/orders/a.ts", "#server/lib/log.ts"],
    ["shared/orders/a.ts", "node:fs"],
    ["shared/orders/a.ts", "react"],
    ["server/web/a.ts", "#app/lib/browser/env.ts"],
    ["server/web/a.ts", "#app/lib/backend/retry.ts"],
    ["scripts/a.ts", "#app/features/books/kinds.ts"],
  ])("doesn't allow %s to import %s", (file, imported) => {
    const [fixed] = importsOf(file, `import { a } from "${imported}";`);
    const [lazy] = importsOf(file, `const a = await import("${imported}");`);
    expect(fixed && isAllowed(fixed)).toBe(false);
    expect(lazy && isAllowed(lazy)).toBe(false);
  });
});
