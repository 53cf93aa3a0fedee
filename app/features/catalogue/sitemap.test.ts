import { describe, expect, it } from "vitest";
import { readSitemapPart, sitemapIndexXml, sitemapXml } from "./sitemap.ts";

describe("the sitemap's URL", () => {
  it("is the whole sitemap if one part holds all books, otherwise the index", () => {
    expect(readSitemapPart("", 1)).toBe(0);
    expect(readSitemapPart("", 50)).toBe("index");
  });

  it("numbers parts from 1, in one spelling only", () => {
    expect(readSitemapPart("?part=1", 50)).toBe(0);
    expect(readSitemapPart("?part=50", 50)).toBe(49);
    for (const search of ["?part=51", "?part=0", "?part=01", "?part=1&x=1", "?part=", "?x=1", "?part=1e1"])
      expect([search, readSitemapPart(search, 50)]).toEqual([search, null]);
    expect(readSitemapPart("?part=1", 1)).toBeNull();
    expect(readSitemapPart("?x=1", 1)).toBeNull();
  });
});

it("A sitemap lists pages, and an index lists parts", () => {
  expect(sitemapXml("https://shop.example", ["/", "/shop"])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://shop.example/</loc></url>
  <url><loc>https://shop.example/shop</loc></url>
</urlset>
`);
  expect(sitemapIndexXml("https://shop.example", 2)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemap><loc>https://shop.example/sitemap.xml?part=1</loc></sitemap>
  <sitemap><loc>https://shop.example/sitemap.xml?part=2</loc></sitemap>
</sitemapindex>
`);
});
