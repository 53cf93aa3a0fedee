import { expect, test } from "vitest";
import { isScannedIsbn } from "./scanned-isbn.ts";

test.each([
  ["9780140449136", true],
  ["978-0-14-044913-6", true],
  ["0-14-044913-x", true],
  ["014044913X", true],
  ["9780140449137", true],
  ["Maths 10", false],
  ["978014044913", false],
  ["AB-1234567890", false],
  ["", false],
])("%j is a barcode scanner's text for a book: %s", (text, expected) => {
  expect(isScannedIsbn(text)).toBe(expected);
});
