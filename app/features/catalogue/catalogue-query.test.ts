import { describe, expect, it } from "vitest";
import { catalogueHref, readCatalogueQuery, SEARCH_LENGTH } from "./catalogue-query.ts";

const id = "0190b1a2-0000-4000-8000-000000000001";
const read = (search: string) => readCatalogueQuery(new URLSearchParams(search));

describe("the shop's address", () => {
  it("reads search and filters, trimmed", () => {
    expect(read("q=%20maths%20&publisher=Schofield%20%26%20Sims&course=IGCSE&subject=English")).toMatchObject(
      {
        q: "maths",
        publisher: "Schofield & Sims",
        course: "IGCSE",
        subject: "English",
        page: 1,
      },
    );
  });

  it("cuts search text to 200 code points without splitting an emoji", () => {
    const { q } = read(`q=${encodeURIComponent("📚".repeat(5000))}`);
    expect([...q]).toHaveLength(SEARCH_LENGTH);
    expect(q.isWellFormed()).toBe(true);
  });

  it.each(["0", "-3", "1.5", "abc", "", "1e99"])("takes page=%s for page 1", (page) => {
    expect(read(`page=${page}`).page).toBe(1);
  });

  it("numbers no page beyond 100", () => {
    expect(read("page=101").page).toBe(100);
  });

  it("reads a place only with a whole id", () => {
    expect(read(`after=${encodeURIComponent(`${id}~o'brien ~ 100%`)}`).after).toEqual({
      id,
      title: "o'brien ~ 100%",
    });
    expect(read("after=nonsense~x").after).toBeNull();
  });

  it("writes back what it read, and leaves defaults out", () => {
    const address = catalogueHref({ q: "10% & more", publisher: "CGP", page: 3 });
    expect(address).toBe("/shop?q=10%25%20%26%20more&publisher=CGP&page=3");
    expect(read(address.split("?")[1] ?? "")).toMatchObject({ q: "10% & more", publisher: "CGP", page: 3 });
    expect(catalogueHref(read(""))).toBe("/shop");
  });

  it("prefers a place to a page number", () => {
    const after = { id, title: "z" };
    expect(read(catalogueHref({ after, page: 7 }).split("?")[1] ?? "").after).toEqual(after);
  });
});
