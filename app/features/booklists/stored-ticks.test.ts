import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CardBook } from "#app/features/books/book-fields.ts";
import type { BooklistLine } from "./booklist.ts";
import { useTicks as onServer } from "./ticks.ts";

/* What this browser keeps of a list, and what a list starts with. */

const KEY = "adwene-booklists";
const week = 7 * 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 10, 22);

const lineOf = (id: string, stock_quantity: number, is_required = true): BooklistLine => ({
  id,
  title: id,
  copies: 1,
  is_required,
  note: null,
  book_id: id,
  book: { id, stock_quantity } as CardBook,
});
const lines = [lineOf("a", 5), lineOf("gone", 0), lineOf("optional", 5, false)];

let entries: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  entries = new Map();
  const localStorage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  };
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("localStorage", localStorage);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A list's ticks on a page that is opened now, as its first render has them: the module is read anew for each. */
async function open() {
  const address = `./ticks.ts?page=${crypto.randomUUID()}`;
  const { useTicks }: typeof import("./ticks.ts") = await import(address);
  return render(useTicks);
}

function render(useTicks: typeof onServer) {
  const found: { ticks?: ReturnType<typeof useTicks> } = {};
  const Page = () => {
    found.ticks = useTicks("LIST", lines);
    return null;
  };
  renderToString(createElement(Page));
  return found.ticks as NonNullable<typeof found.ticks>;
}

const stored = () => JSON.parse(entries.get(KEY) ?? "null");

it("starts with the required lines that are in stock, for one child", async () => {
  const { chosen, children } = await open();
  expect([chosen.map(({ id }) => id), children]).toEqual([["a"], 1]);
});

it("stores each change together with the unchanged values", async () => {
  const { change } = await open();
  change({ children: 3 });
  expect(stored()).toEqual({ LIST: { ticked: ["a"], children: 3, at: now } });
  change({ ticked: ["optional"] });
  expect(stored()).toEqual({ LIST: { ticked: ["optional"], children: 1, at: now } });
});

it("keeps the ticks of the twenty latest lists, for a week", async () => {
  const ticks = (at: number) => ({ ticked: ["a"], children: 2, at });
  const kept = Object.fromEntries(
    Array.from({ length: 25 }, (_, n) => [`L${n}`, ticks(now - week + 1 + ((n * 7) % 25))]),
  );
  entries.set(KEY, JSON.stringify({ ...kept, old: ticks(now - week), LIST: ticks(now - week + 1) }));
  (await open()).change({});
  const at = (code: string) => kept[code]?.at ?? 0;
  const newest = Object.keys(kept)
    .sort((a, b) => at(b) - at(a))
    .slice(0, 19);
  expect(Object.keys(stored()).sort()).toEqual(["LIST", ...newest].sort());
  expect(stored().LIST.at).toBe(now);
});

it("ignores stored data that it could not have written", async () => {
  const right = { ticked: ["a"], children: 1, at: now };
  const wrong = [
    null,
    7,
    { ...right, ticked: "a" },
    { ...right, ticked: ["a", 1] },
    { ...right, ticked: undefined },
    { ...right, children: 0 },
    { ...right, children: 1_000 },
    { ...right, children: 1.5 },
    { ...right, children: undefined },
    { ...right, at: undefined },
    { ...right, at: now - week },
  ];
  const all = {
    ...Object.fromEntries(wrong.entries()),
    right,
    most: { ...right, ticked: [], children: 999 },
  };
  entries.set(KEY, JSON.stringify(all));
  (await open()).change({});
  expect(Object.keys(stored()).sort()).toEqual(["LIST", "most", "right"]);
});

it.each(["{", "null", "7"])("starts over when %s is stored", async (text) => {
  entries.set(KEY, text);
  (await open()).change({});
  expect(Object.keys(stored())).toEqual(["LIST"]);
});

it("works without storage, and on the server", async () => {
  vi.stubGlobal("localStorage", undefined);
  const { change } = await open();
  expect(() => change({ children: 2 })).not.toThrow();
  expect(render(onServer).children).toBe(1);
});

it("ticks have the same request id in every tab until a choice changes", async () => {
  const one = await open();
  const id = one.requestId();
  expect((await open()).requestId()).toBe(id);
  vi.setSystemTime(now + 1);
  one.change({ children: 2 });
  expect(one.requestId()).not.toBe(id);
  expect((await open()).requestId()).toBe(one.requestId());
});

it("follows what another tab stores", async () => {
  const address = `./ticks.ts?page=${crypto.randomUUID()}`;
  const { useTicks }: typeof import("./ticks.ts") = await import(address);
  entries.set(KEY, JSON.stringify({ LIST: { ticked: ["optional"], children: 4, at: now - 1 } }));
  const own = () => render(useTicks).requestId();
  window.dispatchEvent(Object.assign(new Event("storage"), { key: KEY }));
  expect(own()).toBe(`LIST ${now - 1}`);
});
