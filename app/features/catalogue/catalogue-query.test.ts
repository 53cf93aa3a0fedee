import { describe, expect, it } from "vitest";
import { SEARCH_LENGTH } from "#shared/text/search-text.ts";
import { catalogueHref, orderOf, PRICE_RANGES, readCatalogueQuery, withoutPage } from "./catalogue-query.ts";

const id = "0190b1a2-0000-4000-8000-000000000001";
const read = (search: string) => readCatalogueQuery(new URLSearchParams(search));

describe("the catalogue's URL", () => {
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

  it("reads the other filters and the order, if they are among the choices", () => {
    const filters = { grade: "Basic 4", price: PRICE_RANGES[1] ?? "", stock: "in", sort: "price-desc" };
    const address = catalogueHref(filters);
    expect(read(address.split("?")[1] ?? "")).toMatchObject(filters);
    expect(address).toBe(`/shop?grade=Basic%204&price=${filters.price}&stock=in&sort=price-desc`);
    const nothing = { price: "", stock: "", sort: "" };
    expect(read("price=1-2&stock=out&sort=title")).toMatchObject(nothing);
    // A cursor is a place in the order of titles.
    const cursor = encodeURIComponent(`${id}~a`);
    expect(read(`sort=newest&after=${cursor}&before=${cursor}`)).toMatchObject({ after: null, before: null });
  });

  it("reads the orders of a searched text, of which the usual one is left out", () => {
    const query = (search: string, usual?: "title" | "best") => {
      const read = readCatalogueQuery(new URLSearchParams(search), usual);
      return [read.sort, read.usual, orderOf(read)];
    };
    expect(query("q=maths&sort=best", "title")).toEqual(["best", "title", "best"]);
    expect(query("q=maths&sort=title", "title")).toEqual(["", "title", "title"]);
    expect(query("q=maths", "best")).toEqual(["", "best", "best"]);
    expect(query("q=maths&sort=title", "best")).toEqual(["title", "best", "title"]);
    expect(query("sort=best", "best")).toEqual(["", "title", "title"]);
    const cursor = encodeURIComponent(`${id}~a`);
    const cursorOf = (search: string) => readCatalogueQuery(new URLSearchParams(search), "best").after;
    expect(cursorOf(`q=maths&after=${cursor}`)).toBeNull();
    expect(cursorOf(`q=maths&sort=title&after=${cursor}`)).toEqual({ id, title: "a" });
  });

  it("cuts search text to 200 code points without splitting an emoji", () => {
    const { q } = read(`q=${encodeURIComponent("📚".repeat(5000))}`);
    expect([...q]).toHaveLength(SEARCH_LENGTH);
    expect(q.isWellFormed()).toBe(true);
  });

  it.each(["0", "-3", "1.5", "abc", "", "1e99"])("reads page=%s as page 1", (page) => {
    expect(read(`page=${page}`).page).toBe(1);
  });

  it("has no page numbers beyond 100", () => {
    expect(read("page=101").page).toBe(100);
  });

  it("reads a cursor only with a complete id", () => {
    expect(read(`after=${encodeURIComponent(`${id}~o'brien ~ 100%`)}`).after).toEqual({
      id,
      title: "o'brien ~ 100%",
    });
    expect(read("after=nonsense~x").after).toBeNull();
  });

  it("writes what it read, without defaults", () => {
    const address = catalogueHref({ q: "10% & more", publisher: "CGP", page: 3 });
    expect(address).toBe("/shop?q=10%25%20%26%20more&publisher=CGP&page=3");
    expect(read(address.split("?")[1] ?? "")).toMatchObject({ q: "10% & more", publisher: "CGP", page: 3 });
    expect(catalogueHref(read(""))).toBe("/shop");
  });

  it("prefers a cursor to a page number", () => {
    const after = { id, title: "z" };
    expect(read(catalogueHref({ after, page: 7 }).split("?")[1] ?? "").after).toEqual(after);
  });
});

describe("a place in the catalogue", () => {
  const before = { id: "0b5c1f1e-0000-4000-8000-00000000000a", title: "Atlas" };
  const read = (address: string) => readCatalogueQuery(new URLSearchParams(address.split("?")[1]));

  it("before a book is read back as it was written", () => {
    expect(read(catalogueHref({ before, page: 3 }))).toMatchObject({ before, after: null, page: 1 });
    expect(catalogueHref({ after: before, before })).not.toContain("before");
  });

  it("has no character that a database refuses", () => {
    expect(read(catalogueHref({ before: { ...before, title: "At\0las" } })).before?.title).toBe("Atlas");
  });

  it("is dropped for the first page, with the same search", () => {
    const query = read("/shop?q=maths&publisher=CGP&page=4");
    expect(withoutPage({ ...query, before })).toEqual({ ...query, page: 1, after: null, before: null });
  });
});
