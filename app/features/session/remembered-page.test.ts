import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rememberPage, takeRememberedPage } from "./remembered-page.ts";

const HOUR = 60 * 60 * 1000;
let stored = new Map<string, string>();

beforeEach(() => {
  stored = new Map();
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("The page is remembered for a day, and taken once", () => {
  rememberPage("/lists/K7PXM-3Q9TB");
  vi.advanceTimersByTime(23 * HOUR);
  expect(takeRememberedPage()).toBe("/lists/K7PXM-3Q9TB");
  expect(takeRememberedPage()).toBeNull();
  rememberPage("/bulk-order");
  vi.advanceTimersByTime(24 * HOUR);
  expect(takeRememberedPage()).toBeNull();
});

test("A path outside the shop, or one that cannot be read, is not remembered", () => {
  for (const path of ["//evil.example", "/\\evil.example", "https://evil.example", ""]) {
    rememberPage(path);
    expect(takeRememberedPage(), path).toBeNull();
  }
  stored.set("adwene-place", "{");
  expect(takeRememberedPage()).toBeNull();
  vi.stubGlobal("localStorage", undefined);
  rememberPage("/shop");
  expect(takeRememberedPage()).toBeNull();
});
