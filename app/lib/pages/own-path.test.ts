import { expect, test } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { isOwnPath } from "./own-path.ts";

test.each(["/", "/shop", "/shop?q=a//b", "/a//b", "/books/1#top"])("%j is a path of this site", (path) => {
  expect(isOwnPath(path)).toBe(true);
});

test.each([
  "",
  "shop",
  "//evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "/\n\\evil.example",
  "/\r/evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  " /shop",
])("%j is not a path of this site", (path) => {
  expect(isOwnPath(path)).toBe(false);
});

test("a path on this site never opens another site", () => {
  const site = "https://shop.example";
  const unit = fc.constantFrom(..."/\\\t\n\r e:@.?#");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 8 }), (rest) => {
      const path = `/${rest}`;
      if (isOwnPath(path)) expect(new URL(path, site).origin).toBe(site);
    }),
    { numRuns: 2_000 },
  );
});
