import { expect, test, vi } from "vitest";
import { createPageCache } from "./page-cache.ts";
import { noteShown } from "./unmet-searches.ts";

function open() {
  const onUnmet = vi.fn();
  let renders = 0;
  const cache = createPageCache({
    onUnmet,
    catalogueVersion: async () => "1",
    render: async ({ url }) => {
      renders += 1;
      const unmet = url.includes("?q=") ? { text: "aki-ola", found: 1 } : null;
      return { status: 200, headers: new Headers(), body: new TextEncoder().encode("page"), unmet };
    },
  });
  const load = (path: string, init: RequestInit = {}) =>
    cache.respond(new Request(`http://shop.example${path}`, init));
  return { ...cache, load, onUnmet, renders: () => renders };
}

test("a search that found little counts each time its page is shown, even cached or as a 304", async () => {
  const { load, cached, onUnmet, renders } = open();
  const tag = (await load("/shop?q=aki-ola")).headers.get("etag") ?? "";
  await load("/shop?q=aki-ola");
  expect((await load("/shop?q=aki-ola", { headers: { "If-None-Match": tag } })).status).toBe(304);
  expect([onUnmet.mock.calls.length, renders()]).toEqual([3, 1]);
  expect(onUnmet.mock.calls[0]?.[0]).toEqual({ text: "aki-ola", found: 1 });
  for (const known of [undefined, tag])
    expect(cached("/shop?q=aki-ola", "", known)?.unmet).toEqual({ text: "aki-ola", found: 1 });
});

test("other pages and HEAD requests don't count", async () => {
  const { load, cached, onUnmet } = open();
  await load("/shop");
  await load("/shop");
  await load("/shop?q=aki-ola", { method: "HEAD" });
  expect(onUnmet).not.toHaveBeenCalled();
  expect(cached("/shop", "", undefined)?.unmet).toBeFalsy();
});

test.each([
  [{}, 1],
  [{ "user-agent": "Mozilla/5.0 (Linux; Android 14) Chrome/130" }, 1],
  [{ "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }, 0],
  [{ "user-agent": "WhatsApp/2.23 link preview" }, 0],
  [{ "sec-purpose": "prefetch;prerender" }, 0],
  [{ "x-moz": "prefetch" }, 0],
])("a request with the headers %j counts %i times", (headers: Record<string, string>, times) => {
  const noteUnmet = vi.fn();
  noteShown({ noteUnmet }, { text: "aki-ola", found: 0 }, "203.0.113.7", (name) => headers[name]);
  expect(noteUnmet).toHaveBeenCalledTimes(times);
  noteShown({}, { text: "aki-ola", found: 0 }, "203.0.113.7", (name) => headers[name]);
});
