import { describe, expect, it } from "vitest";
import { printedIsbn } from "./book.ts";

describe("the ISBN that customers see", () => {
  it("is the book's own, in its spelling", () => {
    expect(printedIsbn({ isbn: "978-0-00-812345-6" })).toBe("978-0-00-812345-6");
    expect(printedIsbn({ isbn: "019853453X" })).toBe("019853453X");
  });

  it("is nothing for the shop's own codes and for books without one", () => {
    expect(printedIsbn({ isbn: "AB-20261120-001" })).toBeNull();
    expect(printedIsbn({ isbn: null })).toBeNull();
  });
});
