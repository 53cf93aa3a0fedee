import { expect, test } from "vitest";
import { cutDocument, setScriptsAside } from "./late-scripts.ts";

const module = 'import * as route0 from "/assets/root.js";\nimport("/assets/entry.js");';
const page = `<html><head><link rel="modulepreload" href="/assets/root.js"/><title>Shop</title><link rel="modulepreload" href="/assets/entry.js"/></head><body><p>Books</p><script type="module" async="">${module}</script><script>more()</script></body></html>`;

/** The page with its scripts set aside. */
function laterPage(html: string): string {
  const { head, body, scripts } = cutDocument(html);
  const late = setScriptsAside(head, scripts);
  return late.head + body + late.scripts;
}

test("A page's module keeps its text and waits, together with the names of the files to fetch with it", () => {
  expect(laterPage(page)).toBe(
    `<html><head><title>Shop</title></head><body><p>Books</p><script type="late" data-files="/assets/root.js /assets/entry.js">${module}</script><script>more()</script></body></html>`,
  );
});

test("A page without scripts stays as it is", () => {
  expect(laterPage("<html><body>Sorry</body></html>")).toBe("<html><body>Sorry</body></html>");
});

test.each([
  ["no module", page.replace('type="module" async=""', 'type="module"')],
  ["two modules", page + page],
  ["no files", page.replaceAll("modulepreload", "prefetch")],
])("A page that the router writes differently fails instead of never starting: %s", (_, html) => {
  expect(() => laterPage(html)).toThrow("differently");
});
