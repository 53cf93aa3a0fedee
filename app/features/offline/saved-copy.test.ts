import { beforeEach, expect, test, vi } from "vitest";
import { KEPT_FOR_KEY, SAVED_PREFIX } from "#app/lib/env.ts";
import { readOrSaved, shownCopies } from "./saved-copy.ts";

let stored: Map<string, string>;
let page: { release: string; onLine: boolean; since: string | undefined };

beforeEach(() => {
  stored = new Map([[KEPT_FOR_KEY, "ama"]]);
  page = { release: "one", onLine: true, since: undefined };
  shownCopies.set({});
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal("navigator", {
    get onLine() {
      return page.onLine;
    },
  });
  vi.stubGlobal("document", {
    documentElement: {
      get dataset() {
        return { stored: page.since };
      },
    },
  });
  vi.stubGlobal("window", {
    get __reactRouterManifest() {
      return { version: page.release };
    },
  });
  return () => vi.unstubAllGlobals();
});

const answered = (list: string[]) => async () => list;
const failed = (error: unknown) => async (): Promise<string[]> => {
  throw error;
};

test("A list that was read is shown again when no response comes, with its time; the next response replaces it", async () => {
  await readOrSaved("cart", "ama", answered(["atlas"]));
  expect(shownCopies.get()).toEqual({});
  expect(await readOrSaved("cart", "ama", failed(new TypeError("Failed to fetch")))).toEqual(["atlas"]);
  expect(Object.keys(shownCopies.get())).toEqual(["cart"]);
  expect(await readOrSaved("cart", "ama", answered(["reader"]))).toEqual(["reader"]);
  expect(shownCopies.get()).toEqual({});
});

test("A saved list is not shown to another user or by another release, nor instead of a refusal by the shop", async () => {
  await readOrSaved("cart", "ama", answered(["atlas"]));
  await expect(readOrSaved("cart", "kofi", failed(new TypeError("Failed to fetch")))).rejects.toThrow();
  await expect(readOrSaved("cart", "ama", failed(new Error("refused")))).rejects.toThrow("refused");
  page.release = "two";
  await expect(readOrSaved("cart", "ama", failed(new TypeError("Failed to fetch")))).rejects.toThrow();
});

test("A page that is known to be offline waits for nothing, and reads again when asked", async () => {
  await readOrSaved("cart", "ama", answered(["atlas"]));
  page.onLine = false;
  expect(await readOrSaved("cart", "ama", () => new Promise<string[]>(() => {}))).toEqual(["atlas"]);
  page.onLine = true;
  page.since = "2026-11-22T15:00:00Z";
  expect(await readOrSaved("cart", "ama", answered(["reader"]))).toEqual(["reader"]);
});

test.each([null, "kofi"])(
  "A list that arrives after its user has signed out is not left in the browser, whoever has signed in since: %s",
  async (next) => {
    await readOrSaved("cart", "ama", async () => {
      if (next) stored.set(KEPT_FOR_KEY, next);
      else stored.delete(KEPT_FOR_KEY);
      return ["atlas"];
    });
    expect(stored.has(`${SAVED_PREFIX}cart`)).toBe(false);
  },
);
