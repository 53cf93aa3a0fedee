import { describe, expect, it } from "vitest";
import { printedIsbn, publisherName } from "./book.ts";

describe("the ISBN that customers see", () => {
  it("is its digits in one form, however a row has them", () => {
    expect(printedIsbn({ isbn: "978-0-00-812345-6" })).toBe("9780008123456");
    expect(printedIsbn({ isbn: "0-19-853453-1" })).toBe("9780198534532");
  });

  it("is absent for the shop's own codes and for books without one", () => {
    expect(printedIsbn({ isbn: "AB-20261120-001" })).toBeNull();
    expect(printedIsbn({ isbn: null })).toBeNull();
    expect(printedIsbn({ isbn: "6001234567890", kind: "stationery" })).toBeNull();
    for (const isbn of ["0-19-8534-53-9-0-0-0-0", "123456789", "1234567890 or so"])
      expect(printedIsbn({ isbn }), isbn).toBeNull();
  });
});

it("a book without a publisher has an unknown one", () => {
  expect([null, undefined, "Adwene"].map(publisherName)).toEqual(["Unknown", "Unknown", "Adwene"]);
});
