import { describe, expect, it } from "vitest";
import { shop } from "#shared/owner/shop.ts";
import { notFoundHead, pageHead } from "./head.ts";

const matches = [{ id: "root", loaderData: { siteUrl: "https://shop.example" } }, undefined];

describe("the head of a page", () => {
  it("has the title, the shop's name and the canonical URL", () => {
    const head = pageHead(matches, { title: "About Us", description: "Who we are.", path: "/about" });
    expect(head).toContainEqual({ title: `About Us | ${shop.name}` });
    expect(head).toContainEqual({ name: "description", content: "Who we are." });
    expect(head).toContainEqual({ tagName: "link", rel: "canonical", href: "https://shop.example/about" });
    expect(head).toContainEqual({ property: "og:image", content: "https://shop.example/link-preview.png" });
  });

  it("has a preview for links to it", () => {
    const head = pageHead(matches, { title: "About Us", description: "Who we are.", path: "/about?a=b" });
    const preview = Object.fromEntries(
      head.flatMap((each) => ("property" in each ? [[each.property, each.content]] : [])),
    );
    expect(preview).toEqual({
      "og:type": "website",
      "og:site_name": shop.name,
      "og:locale": "en_GB",
      "og:title": "About Us",
      "og:description": "Who we are.",
      "og:url": "https://shop.example/about?a=b",
      "og:image": "https://shop.example/link-preview.png",
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": `${shop.name}: ${shop.tagline}`,
    });
    expect(head).toContainEqual({ name: "twitter:card", content: "summary_large_image" });
    expect(JSON.stringify(head)).not.toContain("noindex");
  });

  it("has relative URLs when the root's data could not be read", () => {
    const head = pageHead([undefined], { description: "Who we are.", path: "/about" });
    expect(head).toContainEqual({ tagName: "link", rel: "canonical", href: "/about" });
  });

  it("keeps a missing page out of search engines", () => {
    expect(notFoundHead()).toEqual([
      { title: `Page not found | ${shop.name}` },
      { name: "robots", content: "noindex" },
    ]);
  });

  it("gives the home page the shop's name and tagline", () => {
    const head = pageHead(matches, { description: shop.description, path: "/" });
    expect(head).toContainEqual({ title: `${shop.name} | ${shop.tagline}` });
    expect(head).toContainEqual({ property: "og:title", content: shop.name });
  });

  it("keeps a private page out of search engines", () => {
    const head = pageHead(matches, { title: "My Orders", description: "Orders.", path: "/orders?page=2" });
    expect(head).toContainEqual({ name: "robots", content: "noindex" });
  });

  it("keeps a page with `index: false` out of search engines", () => {
    const head = pageHead(matches, {
      title: "Search",
      description: "Search.",
      path: "/search",
      index: false,
    });
    expect(head).toContainEqual({ name: "robots", content: "noindex" });
    expect(JSON.stringify(head)).not.toContain("canonical");
  });
});
