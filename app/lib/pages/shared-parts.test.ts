import { describe, expect, it } from "vitest";
import { createSharedParts } from "./shared-parts.ts";

/** What React renders of these parts: those that are made, empty. */
function renderPage(startPage: ReturnType<typeof createSharedParts>, keys: string[]) {
  const { find, fill } = startPage();
  const rendered: string[] = [];
  const html = keys.map((key) => {
    const { id, isMade } = find(key);
    if (!isMade) rendered.push(key);
    return `<li><page-part id="${id}">${isMade ? "" : `<p class="a&gt;b">${key}</p>`}</page-part></li>`;
  });
  return { html: fill(`<ul>${html.join("")}</ul>`).join(""), rendered };
}

const pageOf = (keys: string[]) =>
  `<ul>${keys.map((key) => `<li><p class="a&gt;b">${key}</p></li>`).join("")}</ul>`;

describe("shared parts", () => {
  it("are rendered once and are the same in later pages", () => {
    const startPage = createSharedParts();
    const first = renderPage(startPage, ["one", "two"]);
    const second = renderPage(startPage, ["two", "three", "one"]);
    expect(first).toEqual({ html: pageOf(["one", "two"]), rendered: ["one", "two"] });
    expect(second).toEqual({ html: pageOf(["two", "three", "one"]), rendered: ["three"] });
  });

  it("that a page has twice are both filled", () => {
    const startPage = createSharedParts();
    expect(renderPage(startPage, ["one", "one"]).html).toBe(pageOf(["one", "one"]));
    expect(renderPage(startPage, ["one", "one"])).toEqual({ html: pageOf(["one", "one"]), rendered: [] });
  });

  it("that have not been used for longest are dropped first when there are too many", () => {
    const startPage = createSharedParts(2 * `a${'<p class="a&gt;b">a</p>'}`.length);
    renderPage(startPage, ["a", "b"]);
    renderPage(startPage, ["a"]);
    expect(renderPage(startPage, ["c"]).rendered).toEqual(["c"]);
    expect(renderPage(startPage, ["a"]).rendered).toEqual([]);
    expect(renderPage(startPage, ["b"]).rendered).toEqual(["b"]);
  });

  it("that are dropped while a page is rendered are still in it", () => {
    const startPage = createSharedParts(`a${'<p class="a&gt;b">a</p>'}`.length);
    renderPage(startPage, ["a"]);
    expect(renderPage(startPage, ["a", "b"]).html).toBe(pageOf(["a", "b"]));
  });

  it("leave a page without any as it is", () => {
    const { fill } = createSharedParts()();
    expect(fill("<article>Terms</article>")).toEqual(["<article>Terms</article>"]);
  });
});
