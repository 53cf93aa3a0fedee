import { describe, expect, it } from "vitest";
import { builtInTitles } from "./built-in-titles.ts";
import {
  allPublisherNames,
  findPublisherBySlug,
  publisherPagePath,
  publisherShopPath,
  publishers,
} from "./publisher.ts";

describe("publishers", () => {
  it("are the fixed list of six", () => {
    expect(publishers.map((publisher) => publisher.name)).toEqual([
      "Cambridge University Press",
      "Collins",
      "CGP",
      "Hachette Learning",
      "Schofield & Sims",
      "Skoldo",
    ]);
  });

  it("each have a page at the path in the route table", () => {
    expect(publishers.map((publisher) => publisherPagePath(publisher.slug)).sort()).toEqual([
      "/products/cambridge",
      "/products/cgp",
      "/products/collins",
      "/products/hachette",
      "/products/schofield",
      "/products/skoldo",
    ]);
    expect(findPublisherBySlug("schofield")?.name).toBe("Schofield & Sims");
    expect(findPublisherBySlug("penguin")).toBeNull();
  });

  it("are linked to the shop by their encoded name", () => {
    expect(publisherShopPath("Schofield & Sims")).toBe("/shop?publisher=Schofield%20%26%20Sims");
  });

  it("are all offered in the back office", () => {
    expect(allPublisherNames(["Collins", "Adom"])).toEqual([
      "Adom",
      "Cambridge University Press",
      "CGP",
      "Collins",
      "Hachette Learning",
      "Schofield & Sims",
      "Skoldo",
    ]);
  });
});

describe("the publisher pages' fixed lists", () => {
  const rows = Object.values(builtInTitles).flat();

  it("exist for every publisher except Cambridge, whose books are read live", () => {
    const expected = publishers
      .map((one) => one.name)
      .filter((name) => name !== "Cambridge University Press");
    expect(Object.keys(builtInTitles).sort()).toEqual(expected.sort());
    for (const list of Object.values(builtInTitles)) expect(list.length).toBeGreaterThanOrEqual(8);
  });

  it("have prices from 45 to 800 cedis, and ratings out of 5", () => {
    for (const { title, price, rating } of rows) {
      expect(price, title).toBeGreaterThanOrEqual(4_500);
      expect(price, title).toBeLessThanOrEqual(80_000);
      expect(rating, title).toBeGreaterThanOrEqual(1);
      expect(rating, title).toBeLessThanOrEqual(5);
    }
  });

  it("have no duplicate titles", () => {
    for (const list of Object.values(builtInTitles)) {
      expect(new Set(list.map((one) => one.title)).size).toBe(list.length);
    }
  });
});
