import { beforeEach, expect, test, vi } from "vitest";
import { DATA_OWNER_KEY } from "#app/lib/browser/env.ts";
import { cacheOwnPage } from "./cache-own-page.ts";
import { CACHES } from "./stored.ts";

let userId: string | null;
let stored: Map<string, Map<string, string>>;
/** Runs while the page is loading. */
let meanwhile: () => void;

beforeEach(() => {
  userId = "ama";
  stored = new Map([[CACHES.fallback, new Map()]]);
  meanwhile = () => {};
  const pathOf = (key: string | { url: string }) => new URL(typeof key === "string" ? key : key.url, origin);
  const openCache = (name: string) => {
    const entries = stored.get(name) ?? new Map<string, string>();
    stored.set(name, entries);
    return {
      keys: async () => [...entries.keys()].map((path) => ({ url: origin + path })),
      delete: async (key: string | { url: string }) => entries.delete(pathOf(key).pathname),
      put: async (key: string, response: Response) => void entries.set(key, await response.text()),
    };
  };
  vi.stubGlobal("caches", {
    has: async (name: string) => stored.has(name),
    open: async (name: string) => openCache(name),
  });
  vi.stubGlobal("window", { location: { origin } });
  vi.stubGlobal("navigator", { serviceWorker: { ready: Promise.resolve() } });
  vi.stubGlobal("localStorage", { getItem: (key: string) => (key === DATA_OWNER_KEY ? userId : null) });
  vi.stubGlobal("fetch", async () => {
    meanwhile();
    return new Response("<html><h1>My Orders</h1></html>", { headers: { "Content-Type": "text/html" } });
  });
  return () => vi.unstubAllGlobals();
});

const origin = "https://shop.example";
const storedPaths = () => [...(stored.get(CACHES.pages)?.keys() ?? [])];

test("a page of the signed-in user is stored with the current time", async () => {
  await cacheOwnPage("/orders");
  expect(storedPaths()).toEqual(["/orders"]);
  expect(stored.get(CACHES.pages)?.get("/orders")).toMatch(/^<html data-stored="\d{4}-/);
});

test("no page is stored for a visitor", async () => {
  userId = null;
  await cacheOwnPage("/orders");
  expect(storedPaths()).toEqual([]);
});

test.each([null, "kofi"])(
  "a page that arrives after its user has signed out is not stored: %s",
  async (next) => {
    meanwhile = () => {
      userId = next;
    };
    await cacheOwnPage("/orders");
    expect(storedPaths()).toEqual([]);
  },
);

test("no page is stored once the owner has turned offline pages off", async () => {
  stored.clear();
  await cacheOwnPage("/orders");
  expect(storedPaths()).toEqual([]);
});

test("a failed request leaves the copy from an earlier visit in place", async () => {
  await cacheOwnPage("/orders");
  meanwhile = () => {
    throw new TypeError("Failed to fetch");
  };
  await cacheOwnPage("/orders");
  expect(storedPaths()).toEqual(["/orders"]);
});
