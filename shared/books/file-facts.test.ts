import { expect, test } from "vitest";
import { fileTypeName, formatSize } from "./file-facts.ts";

test.each([
  [1, "1 KB"],
  [850_000, "830 KB"],
  [1024 * 1024, "1.0 MB"],
  [13_000_000, "12.4 MB"],
  [200 * 1024 * 1024, "200 MB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

test("an unknown type of file is shown as it is", () => {
  expect([fileTypeName("application/epub+zip"), fileTypeName("text/x")]).toEqual(["EPUB", "text/x"]);
});
