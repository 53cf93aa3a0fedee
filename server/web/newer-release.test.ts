import { expect, test } from "vitest";
import { respondToOlderPage } from "./newer-release.ts";

const send = (
  url: string,
  { method = "GET", headers = { "x-release": "old" } as Record<string, string> } = {},
) => respondToOlderPage({ method, url, headers }, "new");

test.each([
  ["/shop.data?publisher=CGP&_routes=routes%2Fshop%2Fshop", "/shop?publisher=CGP"],
  ["/shop.data", "/shop"],
  ["/_.data", "/"],
  ["/books/1/a-title.data", "/books/1/a-title"],
])("A page of an older build that requests %s is sent to %s as a new document", (url, path) => {
  const response = send(url);
  expect(response?.status).toBe(204);
  expect(response?.head).toEqual([
    "Cache-Control",
    "no-store",
    "X-Remix-Redirect",
    path,
    "X-Remix-Reload-Document",
    "true",
  ]);
});

test("An older page is only ever sent to a path of this shop", () => {
  for (const url of ["//evil.example/_.data", "/.//evil.example/_.data", "/shop/..//evil.example/_.data"])
    expect(send(url)?.head).toContain("/evil.example/");
  expect(send("http://evil.example/_.data")).toBeNull();
});

test("Pages of the current build, other URLs and other methods are left to the site", () => {
  expect(send("/shop.data", { headers: { "x-release": "new" } })).toBeNull();
  expect(send("/shop.data", { headers: {} })).toBeNull();
  expect(send("/shop")).toBeNull();
  expect(send("/shop.data", { method: "POST" })).toBeNull();
  expect(
    respondToOlderPage({ method: "GET", url: "/shop.data", headers: { "x-release": "a" } }, null),
  ).toBeNull();
});
