import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/coverage");

type Reference = { row: string; file: string; title: string | null };

/**
 * The tests that a page of docs/coverage names. A row's last cell holds `file` › title; › another title; `file` …, and
 * a line "Files are below `folder`" says where files without a folder are.
 */
function references(page: string): Reference[] {
  const text = readFileSync(join(folder, page), "utf8");
  const base = /Files are below `([^`]+)`/.exec(text)?.[1] ?? "";
  const found: Reference[] = [];
  for (const row of text.split("\n").filter((line) => /^\|/.test(line) && !/^\|\s*(-|Promise)/.test(line))) {
    const cell =
      row
        .split(/(?<!\\)\|/)
        .at(-2)
        ?.trim() ?? "";
    let file = "";
    for (const part of cell.split(/;\s+(?=[`›])/)) {
      const named = /^`([^`]+)`/.exec(part)?.[1];
      if (named) file = existsSync(join(root, base, named)) ? join(base, named) : named;
      const title =
        /›\s*([^›]+)$/.exec(part)?.[1]?.replaceAll("\\*", "*").replaceAll("\\|", "|").trim() ?? null;
      found.push({ row: row.slice(0, 120), file, title });
    }
    if (cell === "") found.push({ row: row.slice(0, 120), file: "", title: null });
  }
  return found;
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Titles of a file's tests as patterns: what is filled in at run time matches anything. */
function titlesOf(file: string): RegExp[] {
  const source = readFileSync(join(root, file), "utf8");
  // The second form is that of tables: test.each([…])("title", …).
  const calls = source.matchAll(
    /(?:\b(?:test|it|describe\w*)(?:\.\w+)*|\.each\(\w+\)|[\])]\s*\))\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs,
  );
  return [...calls].map(([, , title = ""]) => {
    const plain = title.replace(/\\(["'`\\])/g, "$1");
    const pattern = plain
      .split(/\$\{[^}]*\}|%[sdijop]|\$\w+/)
      .map(literally)
      .join(".*");
    return new RegExp(`^${pattern}$`, "s");
  });
}

/** Whether a title as the page writes it, "…" for what is left out and a remark in brackets at its end, is there. */
function isTested(title: string, patterns: RegExp[]): boolean {
  const spellings = [title, title.replace(/\s*\([^()]*\)(,.*)?$/, "$1"), title.replace(/\s*\([^()]*\)/g, "")];
  return patterns.some((pattern) =>
    spellings.some((spelling) => {
      if (pattern.test(spelling)) return true;
      if (!spelling.includes("…")) return false;
      const wanted = new RegExp(
        `^${spelling
          .split("…")
          .map((part) => literally(part.trim()))
          .join(".*")}$`,
        "s",
      );
      return wanted.test(pattern.source.slice(1, -1).replace(/\\(.)/g, "$1"));
    }),
  );
}

describe("docs/coverage", () => {
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));

  it("is linked from docs/coverage.md, page by page", () => {
    const index = readFileSync(join(root, "docs/coverage.md"), "utf8");
    expect(pages.filter((page) => !index.includes(`(coverage/${page})`))).toEqual([]);
  });

  it.each(pages)("names in %s only tests that exist, and one for every promise", (page) => {
    const wrong = references(page).filter(({ file, title }) => {
      if (!existsSync(join(root, file)) || file === "") return true;
      return title !== null && !isTested(title, titlesOf(file));
    });
    expect(wrong.map(({ row, file, title }) => `${row} → ${file} › ${title}`)).toEqual([]);
  });
});
