import { describe, expect, it } from "vitest";
import { publicPages, searchPath, services } from "./navigation.ts";

describe("paths of the site", () => {
  it("encode any search text", () => {
    expect(searchPath("maths & more? 100%")).toBe("/search?q=maths%20%26%20more%3F%20100%25");
    expect(searchPath("a+b#c")).toBe("/search?q=a%2Bb%23c");
    expect(searchPath("ɛ ɔ 📚", { tab: "books" })).toBe("/search?q=%C9%9B%20%C9%94%20%F0%9F%93%9A&tab=books");
    // encodeURIComponent throws on half an emoji.
    expect(searchPath("\ud83d")).toBe("/search?q=%EF%BF%BD");
  });

  it("name each public page once", () => {
    const paths = publicPages.map(({ to }) => to);
    expect(new Set(paths).size).toBe(paths.length);
    for (const { to } of services) expect(paths).toContain(to);
    for (const path of paths) expect(path).toMatch(/^\/[a-z/-]*$/);
  });
});
