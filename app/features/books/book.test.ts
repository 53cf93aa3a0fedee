import { describe, expect, it } from "vitest";
import { bookIsbn, publisherName } from "./book.ts";

describe("the ISBN of a book that customers see", () => {
  it("is absent for the shop's own codes, for stationery and for books without one", () => {
    expect(bookIsbn({ isbn: "9780008123456" })).toBe("9780008123456");
    expect(bookIsbn({ isbn: "AB-20261120-001" })).toBeNull();
    expect(bookIsbn({ isbn: null })).toBeNull();
    expect(bookIsbn({ isbn: "6001234567890", kind: "stationery" })).toBeNull();
  });
});

it("a book without a publisher has an unknown one", () => {
  expect([null, undefined, "Adwene"].map(publisherName)).toEqual(["Unknown", "Unknown", "Adwene"]);
});
