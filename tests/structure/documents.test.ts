import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Full paths of source files in a document's text. */
const pathsIn = (text: string) =>
  [
    ...text.matchAll(
      /(?<![\w/.-])(?:app|docs|scripts|server|shared|supabase|tests|tools|workshop)\/[\w./-]+\.(?:js|json|md|sql|tsx?)\b/g,
    ),
  ].map(([path]) => path);

describe("the documents", () => {
  it("name only files that exist", () => {
    const documents = ["README.md", ...globSync("docs/**/*.md", { cwd: root })];
    const named = documents.flatMap((document) =>
      pathsIn(readFileSync(join(root, document), "utf8")).map((path) => ({ document, path })),
    );
    expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
    expect(named.length).toBeGreaterThan(50);
  });

  it("are checked for paths of moved files", () => {
    expect(pathsIn("as `server/mail.ts` does (tests/structure/one.test.ts), not `mail.ts`")).toEqual([
      "server/mail.ts",
      "tests/structure/one.test.ts",
    ]);
  });
});
