import { describe, expect, it } from "vitest";
import { readSearchQuery } from "./search-query.ts";

const read = (search: string) => readSearchQuery(new URLSearchParams(search));

describe("the master search's address", () => {
  it("says text and tab", () => {
    expect(read("q=maths&tab=courses")).toEqual({ q: "maths", tab: "courses" });
  });

  it("opens All when no tab, or none that there is, is named", () => {
    expect(read("q=maths").tab).toBe("all");
    expect(read("q=maths&tab=reviews").tab).toBe("all");
  });

  it("takes a blank text for none, and cuts a long one to 200 code points", () => {
    expect(read("q=%20%20").q).toBe("");
    expect(read("").q).toBe("");
    expect([...read(`q=${"📚".repeat(300)}`).q]).toHaveLength(200);
  });
});
