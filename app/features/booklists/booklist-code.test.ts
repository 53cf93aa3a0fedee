import { expect, it } from "vitest";
import { booklistAddress, formatBooklistCode } from "./booklist-code.ts";
import { parseBooklistCode } from "./typed-booklist-code.ts";

it("reads a code as people type it, and writes its address in two halves", () => {
  expect(parseBooklistCode(" k7pxm-3q9tb ")).toBe("K7PXM3Q9TB");
  expect(parseBooklistCode("OIL00 11111")).toBe("0110011111");
  expect(formatBooklistCode("K7PXM3Q9TB")).toBe("K7PXM-3Q9TB");
  expect(booklistAddress("K7PXM3Q9TB")).toBe("/lists/K7PXM-3Q9TB");
});

it.each([..."–—‑‐‒―−﹣－\u00AD\u200B\u202F", " – ", " "])(
  "reads a code with %j between its halves",
  (sign) => {
    expect(parseBooklistCode(`K7PXM${sign}3Q9TB`)).toBe("K7PXM3Q9TB");
  },
);

it.each(["", "K7PXM3Q9T", "K7PXM3Q9TBB", "K7PXM3Q9TU", "K7PXM/3Q9T"])(
  "does not accept %j as a code",
  (typed) => {
    expect(parseBooklistCode(typed)).toBeNull();
  },
);
