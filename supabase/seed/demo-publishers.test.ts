import { describe, expect, it } from "vitest";
import { demoPublishers, listedTitles } from "./demo-publishers.ts";

describe("the demo's publishers", () => {
  it("are the six that are specified, with a page each", () => {
    expect(demoPublishers.map(({ name, slug }) => [name, slug])).toEqual([
      ["Cambridge University Press", "cambridge"],
      ["Collins", "collins"],
      ["CGP", "cgp"],
      ["Hachette Learning", "hachette"],
      ["Schofield & Sims", "schofield"],
      ["Skoldo", "skoldo"],
    ]);
  });

  const rows = Object.values(listedTitles).flat();

  it("list titles, except Cambridge, whose books are read live", () => {
    const listing = demoPublishers.filter((one) => "titles" in one).map(({ name }) => name);
    expect(Object.keys(listedTitles).sort()).toEqual([...listing].sort());
    expect(listing).toEqual(demoPublishers.slice(1).map(({ name }) => name));
    for (const list of Object.values(listedTitles)) expect(list.length).toBeGreaterThanOrEqual(8);
  });

  it("list prices from 45 to 800 cedis, and ratings out of 5", () => {
    for (const { title, price, rating } of rows) {
      expect(price, title).toBeGreaterThanOrEqual(45);
      expect(price, title).toBeLessThanOrEqual(800);
      expect(rating, title).toBeGreaterThanOrEqual(1);
      expect(rating, title).toBeLessThanOrEqual(5);
    }
  });

  it("list no title twice", () => {
    for (const list of Object.values(listedTitles)) {
      expect(new Set(list.map((one) => one.title)).size).toBe(list.length);
    }
  });
});
