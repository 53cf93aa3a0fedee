import { describe, expect, test } from "vitest";
import { changedParams, readListQuery, sortParam } from "./list-state.ts";

const keys = ["title", "price"] as const;
const newest = { key: "title", descending: true } as const;
const read = (search: string) => readListQuery(new URLSearchParams(search), keys, newest);

describe("what a list reads from its address", () => {
  test("an empty address is the first page in the default order", () => {
    expect(read("")).toEqual({ page: 1, q: "", sort: newest });
  });

  test("page, search and both directions of an order are read", () => {
    expect(read("page=7&q=%20atlas%20&sort=price")).toEqual({
      page: 7,
      q: "atlas",
      sort: { key: "price", descending: false },
    });
    expect(read("sort=-price").sort).toEqual({ key: "price", descending: true });
  });

  test("what no list understands is left at its default", () => {
    for (const page of ["0", "-3", "1.5", "abc", "1e9"]) expect(read(`page=${page}`).page).toBe(1);
    expect(read("sort=password").sort).toEqual(newest);
  });

  test("a search text is cut at 200 code points, not inside one", () => {
    expect(read(`q=${encodeURIComponent("📚".repeat(300))}`).q).toBe("📚".repeat(200));
  });
});

describe("changing a list's address", () => {
  test("a changed search or order starts again at the first page and keeps the rest", () => {
    const changed = changedParams(new URLSearchParams("page=4&publisher=CGP"), { q: "maths" });
    expect(changed.toString()).toBe("publisher=CGP&q=maths");
  });

  test("an empty value takes its parameter away", () => {
    expect(changedParams(new URLSearchParams("q=a&sort=-price"), { q: "", sort: null }).toString()).toBe("");
  });

  test("an order is written as it is read", () => {
    expect(sortParam({ key: "price", descending: true })).toBe("-price");
    expect(sortParam({ key: "price", descending: false })).toBe("price");
  });
});
