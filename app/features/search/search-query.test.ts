import { describe, expect, it } from "vitest";
import { readSearchQuery } from "./search-query.ts";

const read = (search: string) => readSearchQuery(new URLSearchParams(search));

describe("the master search's URL", () => {
  it("has the text and the tab", () => {
    expect(read("q=maths&tab=courses")).toEqual({ q: "maths", tab: "courses", sort: "", usual: "title" });
  });

  it("opens All without a valid tab", () => {
    expect(read("q=maths").tab).toBe("all");
    expect(read("q=maths&tab=reviews").tab).toBe("all");
  });

  it("has the order of the books, by title or by best match", () => {
    expect(read("q=maths&sort=best").sort).toBe("best");
    expect(read("q=maths&sort=price").sort).toBe("");
    expect(read("sort=best").sort).toBe("");
  });

  it("ignores blank text, and cuts long text to 200 code points", () => {
    expect(read("q=%20%20").q).toBe("");
    expect(read("").q).toBe("");
    expect([...read(`q=${"📚".repeat(300)}`).q]).toHaveLength(200);
  });
});
