import { describe, expect, it } from "vitest";
import { shop } from "#app/shop.ts";
import { pageHead } from "./head.ts";

const matches = [{ id: "root", loaderData: { siteUrl: "https://shop.example" } }, undefined];

describe("the head of a page", () => {
  it("names the page, the shop and the one address that counts", () => {
    const head = pageHead(matches, { title: "About Us", description: "Who we are.", path: "/about" });
    expect(head).toContainEqual({ title: `About Us | ${shop.name}` });
    expect(head).toContainEqual({ name: "description", content: "Who we are." });
    expect(head).toContainEqual({ tagName: "link", rel: "canonical", href: "https://shop.example/about" });
    expect(head).toContainEqual({ property: "og:image", content: "https://shop.example/link-preview.png" });
  });

  it("gives the home page the shop's name and what it sells", () => {
    const head = pageHead(matches, { description: shop.description, path: "/" });
    expect(head).toContainEqual({ title: `${shop.name} | ${shop.tagline}` });
    expect(head).toContainEqual({ property: "og:title", content: shop.name });
  });

  it("keeps a page out of search engines when it is nobody's destination", () => {
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
