import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Without docs/figures, which name what there was when a command wrote them. */
const documents = ["README.md", ...globSync("docs/**/*.md", { cwd: root })]
  .filter((document) => !document.startsWith("docs/figures/"))
  .map((document) => ({ document, text: readFileSync(join(root, document), "utf8") }));

const tests = globSync(
  "{app,server,shared,scripts,tools,workshop,supabase,tests}/**/*.{test,spec}.{ts,tsx}",
  {
    cwd: root,
  },
);

/** Full paths of source files in a document's text. */
const pathsIn = (text: string) =>
  [
    ...text.matchAll(
      /(?<![\w/.-])(?:app|docs|scripts|server|shared|supabase|tests|tools|workshop)\/[\w./-]+\.(?:js|json|md|sql|tsx?)\b/g,
    ),
  ].map(([path]) => path);

/** Tests that a document's text names, with or without their folder. */
const testsIn = (text: string) =>
  [...text.matchAll(/(?<![\w/.*-])\w[\w./-]*\.(?:test|spec)\.tsx?\b/g)].map(([name]) => name);

/** Files and folders that a document links to. */
const linksIn = (text: string) =>
  [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].map(([, target = ""]) => target);

describe("the documents", () => {
  it("name only files that exist", () => {
    const named = documents.flatMap(({ document, text }) =>
      pathsIn(text).map((path) => ({ document, path })),
    );
    expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
    expect(named.length).toBeGreaterThan(50);
  });

  it("name only tests that exist", () => {
    const named = documents.flatMap(({ document, text }) =>
      testsIn(text).map((name) => ({ document, name })),
    );
    const missing = named.filter(({ name }) => !tests.some((test) => `/${test}`.endsWith(`/${name}`)));
    expect(missing).toEqual([]);
    expect(new Set(named.map(({ name }) => name)).size).toBeGreaterThan(100);
  });

  it("link only to files and folders that exist", () => {
    const links = documents.flatMap(({ document, text }) =>
      linksIn(text).map((target) => ({ document, target })),
    );
    const broken = links.filter(({ document, target }) => !existsSync(join(root, dirname(document), target)));
    expect(broken).toEqual([]);
    expect(links.length).toBeGreaterThan(50);
  });

  it("are checked for paths of moved files", () => {
    expect(pathsIn("as `server/mail.ts` does (tests/structure/one.test.ts), not `mail.ts`")).toEqual([
      "server/mail.ts",
      "tests/structure/one.test.ts",
    ]);
  });

  it("are checked for tests named with and without their folder, and for links", () => {
    expect(testsIn("`one.long.test.ts`, a/two.spec.ts and `*.test.ts`")).toEqual([
      "one.long.test.ts",
      "a/two.spec.ts",
    ]);
    expect(linksIn("[one](one.md#part), [two](../two) and [three](https://three.example)")).toEqual([
      "one.md",
      "../two",
    ]);
  });
});
