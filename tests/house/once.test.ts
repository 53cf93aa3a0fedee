import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const sources = globSync("{app,scripts,server}/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));

/** How each rule looks when it is written, and the one file that may. */
const rules: [rule: string, look: RegExp, file: string][] = [
  ["the form of a uuid", /\{3\}-\[(0-9|\\d)a-f\]\{12\}|-\[(0-9|\\d)a-f\]\{4\}[-)]/, "app/lib/uuid.ts"],
  ["a path of this site", /\^\\\/\(\?!/, "app/lib/own-path.ts"],
  ["the cut of a search text", /\[\.\.\..*\]\.slice\(0, .*\)\.join\(""\)/, "app/lib/search-text.ts"],
  ["the statuses of an order", /"processing", "shipped"/, "app/features/orders/order.ts"],
  [
    "a count with its noun",
    /=== 1 \? "row"|=== 1 \? one : many|\{noun\}\$\{\w+ === 1/,
    "app/lib/count-of.ts",
  ],
  [
    "an add-to-cart card",
    /heart=\{.*\}\s+action=\{\s+<div>\s+<StockAlert/,
    "app/features/catalogue/book-card.tsx",
  ],
  ["the name of a missing publisher", /\?\? "Unknown"/, "app/features/books/book.ts"],
  ["the failure to load books", /Failed to load books/, "app/features/books/books-failure.ts"],
  ["the label of a price", /label.*\(GH₵\)/, "app/features/books/book-fields.ts"],
];

it.each(rules)("%s is written once", (_, look, file) => {
  expect(sources.filter(({ source }) => look.test(source)).map((found) => found.file)).toEqual([file]);
});
