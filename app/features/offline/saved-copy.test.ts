import { beforeEach, expect, test, vi } from "vitest";
import { DATA_OWNER_KEY, SAVED_PREFIX } from "#app/lib/browser/env.ts";
import { readOrSaved, shownCopies } from "./saved-copy.ts";

/** As in a browser, the entries are the storage's own keys. */
let stored: Record<string, string> & Pick<Storage, "getItem" | "setItem" | "removeItem">;
let page: { release: string; onLine: boolean; since: string | undefined };

beforeEach(() => {
  stored = Object.create({
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => {
      stored[key] = value;
    },
    removeItem: (key: string) => delete stored[key],
  });
  stored[DATA_OWNER_KEY] = "ama";
  page = { release: "one", onLine: true, since: undefined };
  shownCopies.set({});
  vi.stubGlobal("localStorage", stored);
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

test("A page that is known to be offline waits for nothing, and reads again on request", async () => {
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
      if (next) stored[DATA_OWNER_KEY] = next;
      else delete stored[DATA_OWNER_KEY];
      return ["atlas"];
    });
    expect(Object.keys(stored)).not.toContain(`${SAVED_PREFIX}cart`);
  },
);

test("Only the most recently read orders stay saved; other lists stay", async () => {
  vi.useFakeTimers();
  await readOrSaved("orders:1", "ama", answered(["list"]));
  for (let order = 1; order <= 22; order += 1) {
    vi.advanceTimersByTime(1_000);
    await readOrSaved(`order:${order}`, "ama", answered(["atlas"]));
  }
  vi.advanceTimersByTime(1_000);
  await readOrSaved("order:3", "ama", answered(["atlas"]));
  vi.advanceTimersByTime(1_000);
  await readOrSaved("order:23", "ama", answered(["atlas"]));
  vi.useRealTimers();
  const saved = (name: string) => Object.keys(stored).includes(SAVED_PREFIX + name);
  expect(Object.keys(stored).filter((key) => key.startsWith(`${SAVED_PREFIX}order:`))).toHaveLength(20);
  expect([1, 2, 4].map((order) => saved(`order:${order}`))).toEqual([false, false, false]);
  expect([3, 5, 23].map((order) => saved(`order:${order}`))).toEqual([true, true, true]);
  expect(saved("orders:1")).toBe(true);
});
