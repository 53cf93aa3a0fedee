import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RETURN_KEY } from "#app/lib/browser/env.ts";
import {
  bookAttribute,
  forgetReturnUnless,
  intentAttribute,
  rememberIntent,
  rememberPlace,
} from "./sign-in-return.ts";
import { takeReturn } from "./take-return.ts";

const bookId = "0f0e6a52-7c0b-4b5e-9b53-4a2f9d6e81c7";
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("window", {
    location: { pathname: "/shop", search: "?subject=Science" },
    scrollY: 840,
    history: { state: { idx: 3 } },
  });
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the page a visitor returns to after signing in", () => {
  it("is that of the last click, once", () => {
    rememberIntent({ list: "cart", bookId });
    expect(takeReturn()).toEqual({
      path: "/shop?subject=Science",
      top: 840,
      entry: 3,
      intent: { list: "cart", bookId },
    });
    expect(takeReturn()).toBeNull();
  });

  it("is the page they left for the sign-in page when nothing was clicked", () => {
    rememberPlace("/shop?page=2", 1);
    expect(takeReturn()).toEqual({ path: "/shop?page=2", top: 0, entry: 1, intent: null });
    rememberIntent({ list: "wishlist", bookId });
    rememberPlace("/shop?page=2", 1);
    expect(takeReturn()).toMatchObject({ path: "/shop?subject=Science" });
  });

  it("is forgotten on another page or after an hour", () => {
    rememberIntent({ list: "cart", bookId });
    forgetReturnUnless("/shop?subject=Science");
    expect(stored.has(RETURN_KEY)).toBe(true);
    forgetReturnUnless("/about");
    expect(takeReturn()).toBeNull();

    vi.useFakeTimers({ now: 0, toFake: ["Date"] });
    rememberIntent({ list: "cart", bookId });
    vi.setSystemTime(60 * 60 * 1000 + 1);
    expect(takeReturn()).toBeNull();
  });

  it("is opened by its path when it was stored before hydration or in another document", () => {
    const intent = `${intentAttribute("cart")["data-intent"]}:${bookAttribute(bookId)["data-book"]}`;
    const early = { intent, path: "/products/cambridge", top: 12, at: Date.now() };
    for (const place of [early, { ...early, entry: 3, document: performance.timeOrigin - 1 }]) {
      stored.set(RETURN_KEY, JSON.stringify(place));
      expect(takeReturn()).toEqual({
        path: "/products/cambridge",
        top: 12,
        entry: null,
        intent: { list: "cart", bookId },
      });
    }
  });

  it.each([
    ["another site", { path: "//evil.example/", intent: "", at: Date.now() }],
    ["another site after a backslash", { path: "/\\evil.example/", intent: "", at: Date.now() }],
    ["an invalid path", { path: "evil", intent: "", at: Date.now() }],
    ["nothing at all", null],
    ["something else", 7],
  ])("is ignored when storage contains %s", (_name, value) => {
    stored.set(RETURN_KEY, JSON.stringify(value));
    expect(takeReturn()).toBeNull();
  });

  it("keeps the page without the click when the click has no valid book id", () => {
    for (const intent of ["cart:1", `admin:${bookId}`, `cart:${bookId}\n`, `no cart:${bookId}`, ""]) {
      stored.set(RETURN_KEY, JSON.stringify({ intent, path: "/shop", at: Date.now() }));
      expect(takeReturn()).toMatchObject({ path: "/shop", intent: null });
    }
  });
});
