import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FORGET_EVENT } from "#app/lib/browser/env.ts";
import type { PadLine } from "./pad.ts";
import { pad as onServer } from "./pad-store.ts";

const KEY = "adwene-bulk-order";
const week = 7 * 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 10, 22);
const line: PadLine = {
  line: 1,
  isbn: "9780008123451",
  title: "",
  quantity: 3,
  written: "3",
  readings: [],
  bookId: null,
  refusal: null,
};

let entries: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  entries = new Map();
  stubWindow();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A window of its own for each page; all of them have the same storage. */
function stubWindow() {
  const localStorage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("localStorage", localStorage);
}

/** The pad as a page finds it that is opened now: the module is read anew for each. */
async function open(): Promise<typeof import("./pad-store.ts")> {
  const address = `./pad-store.ts?page=${crypto.randomUUID()}`;
  return import(address);
}

async function linesOf(stored: unknown): Promise<readonly PadLine[]> {
  entries.set(KEY, typeof stored === "string" ? stored : JSON.stringify(stored));
  stubWindow();
  return (await open()).pad.get().lines;
}

it("keeps its lines for a week, and looks their books up again", async () => {
  const { pad, changePad } = await open();
  expect(pad.get()).toMatchObject({ lines: [], checkedAt: 0 });
  changePad([line]);
  expect(pad.get()).toMatchObject({ lines: [line], checkedAt: 0 });
  vi.setSystemTime(now + week - 1);
  expect((await open()).pad.get()).toMatchObject({ lines: [line], checkedAt: now + week - 1 });
  vi.setSystemTime(now + week);
  expect((await open()).pad.get()).toMatchObject({ lines: [], checkedAt: 0 });
});

it("stores nothing once it is empty", async () => {
  const { changePad } = await open();
  changePad([line]);
  expect(entries.has(KEY)).toBe(true);
  changePad([]);
  expect(entries.size).toBe(0);
});

it("is empty once the user has signed out", async () => {
  const { pad, changePad } = await open();
  changePad([line]);
  window.dispatchEvent(new Event(FORGET_EVENT));
  expect(pad.get().lines).toEqual([]);
});

it("has a later time for each look-up, even for two within a millisecond", async () => {
  const { pad, changePad } = await open();
  changePad([line], { check: true });
  expect(pad.get().checkedAt).toBe(now);
  changePad([line], { check: true });
  expect(pad.get().checkedAt).toBe(now + 1);
  changePad([line]);
  expect(pad.get().checkedAt).toBe(now + 1);
});

it("forgets why the cart refused a line: stock and cart may have changed", async () => {
  const refused = { ...line, refusal: "Your cart is full." };
  expect(await linesOf({ lines: [refused], at: now })).toEqual([line]);
});

it("reads only lines that it could have written, and no more than 500", async () => {
  const chosen = { ...line, quantity: null, bookId: "a", refusal: "Your cart is full." };
  const unread = { ...line, readings: [{ title: "Maths", quantity: 4, isMarked: true }] };
  const read = { ...line, typed: "Maths 4" };
  expect(await linesOf({ lines: [line, chosen, unread, read], at: now })).toEqual([
    line,
    { ...chosen, refusal: null },
    unread,
    read,
  ]);
  const wrong = [
    null,
    7,
    {},
    { ...line, isbn: 9780008123451 },
    { ...line, title: null },
    { ...line, written: 3 },
    { ...line, line: "1" },
    { ...line, quantity: "3" },
    { ...line, bookId: 1 },
    { ...line, refusal: 1 },
    { ...line, bookId: undefined },
    { ...line, quantity: undefined },
    { ...line, readings: undefined },
    { ...line, readings: [null] },
    { ...line, readings: [{ title: "Maths", quantity: "4" }] },
    { ...line, typed: 4 },
  ];
  for (const one of wrong) expect(await linesOf({ lines: [one, line], at: now })).toEqual([line]);
  expect(await linesOf({ lines: Array(501).fill(line), at: now })).toHaveLength(500);
});

it.each(["{", "null", "[]", "7", '{"lines": 1}', JSON.stringify({ lines: [line] })])(
  "is empty when %s is stored",
  async (stored) => expect(await linesOf(stored)).toEqual([]),
);

it("the bulk order has the same time of change in every tab, and checking the same lines keeps it", async () => {
  const { pad, changePad } = await open();
  changePad([line]);
  vi.setSystemTime(now + 5);
  changePad([{ ...line }], { check: true });
  expect(pad.get()).toEqual({ lines: [line], checkedAt: now + 5, changedAt: now });
  expect((await open()).pad.get().changedAt).toBe(now);
  changePad([{ ...line, quantity: 4 }]);
  expect([pad.get().changedAt, (await open()).pad.get().changedAt]).toEqual([now + 5, now + 5]);
});

it("the bulk order follows a change in another tab without writing it again", async () => {
  const { pad } = await open();
  const stored = JSON.stringify({ lines: [line], at: now - 5 });
  entries.set(KEY, stored);
  window.dispatchEvent(Object.assign(new Event("storage"), { key: "another" }));
  expect(pad.get().lines).toEqual([]);
  window.dispatchEvent(Object.assign(new Event("storage"), { key: KEY }));
  expect(pad.get()).toEqual({ lines: [line], checkedAt: now, changedAt: now - 5 });
  expect(entries.get(KEY)).toBe(stored);
  entries.delete(KEY);
  window.dispatchEvent(Object.assign(new Event("storage"), { key: KEY }));
  expect(pad.get().lines).toEqual([]);
});

it("works without storage, and on the server", async () => {
  vi.stubGlobal("localStorage", undefined);
  const { pad, changePad } = await open();
  changePad([line]);
  expect(pad.get().lines).toEqual([line]);
  expect(onServer.get().lines).toEqual([]);
});
