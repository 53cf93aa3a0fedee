import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepPlace, takePlace } from "./kept-place.ts";

const HOUR = 60 * 60 * 1000;
let stored = new Map<string, string>();

beforeEach(() => {
  stored = new Map();
  vi.useFakeTimers();
  vi.stubGlobal("window", {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("The page is remembered for a day, and taken once", () => {
  keepPlace("/lists/K7PXM-3Q9TB");
  vi.advanceTimersByTime(23 * HOUR);
  expect(takePlace()).toBe("/lists/K7PXM-3Q9TB");
  expect(takePlace()).toBeNull();
  keepPlace("/bulk-order");
  vi.advanceTimersByTime(24 * HOUR);
  expect(takePlace()).toBeNull();
});

test("A path outside the shop, or one that cannot be read, is not kept", () => {
  for (const path of ["//evil.example", "/\\evil.example", "https://evil.example", ""]) {
    keepPlace(path);
    expect(takePlace(), path).toBeNull();
  }
  stored.set("adwene-place", "{");
  expect(takePlace()).toBeNull();
  vi.stubGlobal("window", {});
  keepPlace("/shop");
  expect(takePlace()).toBeNull();
});
