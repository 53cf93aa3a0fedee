import { describe, expect, test } from "vitest";
import { changedParams, readListQuery, sortParam } from "./list-state.ts";

const keys = ["title", "price"] as const;
const newest = { key: "title", descending: true } as const;
const read = (search: string) => readListQuery(new URLSearchParams(search), keys, newest);

describe("reading a list's query from the URL", () => {
  test("an empty query is the first page in the default order", () => {
    expect(read("")).toEqual({ page: 1, q: "", sort: newest });
  });

  test("page, search and both sort directions are read", () => {
    expect(read("page=7&q=%20atlas%20&sort=price")).toEqual({
      page: 7,
      q: "atlas",
      sort: { key: "price", descending: false },
    });
    expect(read("sort=-price").sort).toEqual({ key: "price", descending: true });
  });

  test("invalid values fall back to the defaults", () => {
    for (const page of ["0", "-3", "1.5", "abc", "1e9"]) expect(read(`page=${page}`).page).toBe(1);
    expect(read("sort=password").sort).toEqual(newest);
  });

  test("a search text is cut at 200 code points, not inside one", () => {
    expect(read(`q=${encodeURIComponent("📚".repeat(300))}`).q).toBe("📚".repeat(200));
  });
});

describe("changing a list's URL", () => {
  test("a changed search or order goes back to the first page and keeps the rest", () => {
    const changed = changedParams(new URLSearchParams("page=4&publisher=CGP"), { q: "maths" });
    expect(changed.toString()).toBe("publisher=CGP&q=maths");
  });

  test("an empty value removes its parameter", () => {
    expect(changedParams(new URLSearchParams("q=a&sort=-price"), { q: "", sort: null }).toString()).toBe("");
  });

  test("a sort order is written as it is read", () => {
    expect(sortParam({ key: "price", descending: true })).toBe("-price");
    expect(sortParam({ key: "price", descending: false })).toBe("price");
  });
});
