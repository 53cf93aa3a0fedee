import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { isSessionStoredFor, storedUser } from "./stored-session.ts";

const session = JSON.stringify({
  access_token: "head.body.sign",
  user: { id: "ama", email: "ama@school.example" },
});
let entries: Map<string, string>;

beforeEach(() => {
  entries = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function blockStorage(): void {
  const denied = () => {
    throw new Error("denied");
  };
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: denied, removeItem: denied });
}

test("A stored session is found and left unchanged", () => {
  entries.set(SESSION_KEY, session);
  expect(storedUser()).toEqual({ id: "ama", email: "ama@school.example" });
  expect(entries.get(SESSION_KEY)).toBe(session);
});

test("An invalid session is removed", () => {
  for (const text of ["{not json", "null", "[]", '"text"', '{"access_token":"alone"}']) {
    entries.set(SESSION_KEY, text);
    expect(storedUser(), text).toBeNull();
    expect(entries.has(SESSION_KEY), text).toBe(false);
  }
});

test("A session is trusted once it is stored for that user", () => {
  expect(isSessionStoredFor("ama")).toBe(false);
  entries.set(SESSION_KEY, session);
  expect(isSessionStoredFor("ama")).toBe(true);
  expect(isSessionStoredFor("kofi")).toBe(false);
});

test("Looking for a session writes nothing", () => {
  isSessionStoredFor("ama");
  expect(entries.size).toBe(0);
});

test("With blocked storage, the client's memory is trusted", () => {
  blockStorage();
  expect(storedUser()).toBeNull();
  expect(isSessionStoredFor("ama")).toBe(true);
});
