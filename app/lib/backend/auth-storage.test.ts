import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { authStorage } from "./auth-storage.ts";

/** A browser's storage with room for this many characters. */
function storageOf(room: number) {
  const own: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => own[key] ?? null,
    removeItem: (key: string) => void delete own[key],
    setItem(key: string, value: string) {
      const others = Object.entries(own).filter(([name]) => name !== key);
      const used = others.reduce((sum, [name, text]) => sum + name.length + text.length, 0);
      if (used + key.length + value.length > room) throw new DOMException("full", "QuotaExceededError");
      own[key] = value;
    },
  };
  vi.stubGlobal("localStorage", new Proxy(own, { get: (_, name) => methods[name as keyof typeof methods] }));
  return own;
}

const session = "s".repeat(2_000);
beforeEach(() => authStorage.removeItem("session"));
afterEach(() => void vi.unstubAllGlobals());

test("A session is stored in local storage, even after being replaced ten times", () => {
  const own = storageOf(10_000);
  for (let n = 0; n < 10; n += 1) authStorage.setItem("session", session + n);
  expect(authStorage.getItem("session")).toBe(`${session}9`);
  expect(own.session).toBe(`${session}9`);
  authStorage.removeItem("session");
  expect(own).toEqual({});
});

test("Saved copies that fill the storage make room for the session, and other data stays", () => {
  const own = storageOf(10_000);
  own["adwene-saved-cart"] = "c".repeat(5_000);
  own["adwene-saved-order:1"] = "o".repeat(4_000);
  own["adwene-bulk-order"] = "b".repeat(900);
  authStorage.setItem("session", session);
  expect(Object.keys(own).sort()).toEqual(["adwene-bulk-order", "session"]);
});

test("The session lasts as long as the page if storage is full or blocked", () => {
  const own = storageOf(100);
  own.other = "o".repeat(95);
  authStorage.setItem("session", session);
  expect(authStorage.getItem("session")).toBe(session);
  expect(Object.keys(own)).toEqual(["other"]);
  authStorage.removeItem("session");
  expect(authStorage.getItem("session")).toBeNull();
  vi.stubGlobal("localStorage", undefined);
  authStorage.setItem("session", session);
  expect(authStorage.getItem("session")).toBe(session);
  authStorage.removeItem("session");
  expect(authStorage.getItem("session")).toBeNull();
});
