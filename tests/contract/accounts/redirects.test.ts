import { expect, test } from "vitest";
import { allowedRedirect } from "#server/api/accounts/redirects.ts";
import { siteUrl } from "#tests/support/accounts.ts";
import { fc } from "#tests/support/properties.ts";

const attacks = [
  "https://evil.example\\@shop.example/",
  "https:\\\\evil.example//shop.example/",
  "http://shop.example\\.evil.example/",
  "http://shop.example@evil.example/",
  "http://evil.example@shop.example/",
  "http://user:pass@shop.example/shop",
  "http://shop.example:8080/",
  "http://shop.example:80@evil.example/",
  "https://shop.example/",
  "http://shop.example.evil.example/",
  "//evil.example",
  "/\\evil.example",
  "javascript:alert(1)//http://shop.example/",
  "blob:http://shop.example/1",
  "data:text/html,x",
  "http://shop.example\t.evil.example/",
  "http://shop.example\n/",
  " http://evil.example",
  "http://shop.example%2eevil.example/",
  "http:///evil.example",
];

test.each(attacks)("A link never leads to %j", (requested) => {
  const led = new URL(allowedRedirect(siteUrl, requested, "/shop"));
  expect([led.origin, led.protocol, led.username, led.password]).toEqual([siteUrl, "http:", "", ""]);
});

test("Whatever is requested, a link leads to the shop's own origin, to a URL that every parser reads the same way", () => {
  const pieces = fc.constantFrom(
    "http:",
    "https:",
    "//",
    "/",
    "\\",
    "@",
    ":",
    "shop.example",
    "evil.example",
    "#",
    "?",
    "\t",
    "%5c",
    ".",
    "a",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), fc.string(), (parts, tail) => {
      for (const site of [siteUrl, "http://localhost:3000", "https://shop.example"]) {
        const led = allowedRedirect(site, parts.join("") + tail, "/shop");
        expect(led.startsWith(`${site}/`)).toBe(true);
        expect(new URL(led).href).toBe(led);
        expect(led).not.toMatch(/[\\\s]/);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("A link leads to the requested page of the shop", () => {
  expect(allowedRedirect(siteUrl, `${siteUrl}/shop?q=atlas#books`, "/")).toBe(
    `${siteUrl}/shop?q=atlas#books`,
  );
  expect(allowedRedirect("http://localhost:3000", "http://localhost:3001/shop", "/")).toBe(
    "http://localhost:3000/",
  );
});
