import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CartBook, CartLine } from "./cart.ts";

const KEY = "adwene-cart-lists";
const primary4 = { path: "/lists/K7PXM-3Q9TB", name: "Primary 4, Hill School" };
const primary6 = { path: "/lists/AAAAA-BBBBB", name: "Primary 6, Hill School" };

const line = (id: string, bookId: string): CartLine => ({
  id,
  quantity: 1,
  book: { id: bookId } as CartBook,
});
const cartOf = (...lines: CartLine[]) => ({ status: "ready" as const, lines });
const cart = cartOf(line("l1", "maths"), line("l2", "english"), line("l3", "atlas"));

let entries: Map<string, string>;

beforeEach(() => {
  entries = new Map();
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

/** A page that is opened now: the module is read anew for each. */
async function open() {
  const address = `./line-lists.ts?page=${crypto.randomUUID()}`;
  const { lineLists, listsOf, storeLineList }: typeof import("./line-lists.ts") = await import(address);
  return { storeLineList, namesOf: (id: string) => listsOf(lineLists.get(), id).map(({ name }) => name) };
}

it("names each list that a cart line came from, also on a page opened later", async () => {
  const page = await open();
  page.storeLineList(primary4, ["maths", "english"], cart);
  page.storeLineList(primary6, ["maths", "not in the cart"], cart);
  for (const { namesOf } of [page, await open()]) {
    expect(namesOf("l1")).toEqual([primary6.name, primary4.name]);
    expect(namesOf("l2")).toEqual([primary4.name]);
    expect(namesOf("l3")).toEqual([]);
  }
});

it("keeps what was added from a list before when more is added from it", async () => {
  const { storeLineList, namesOf } = await open();
  storeLineList(primary4, ["maths"], cart);
  storeLineList(primary4, ["english"], cart);
  expect([namesOf("l1"), namesOf("l2")]).toEqual([[primary4.name], [primary4.name]]);
});

it("names no list for a book that was removed from the cart and added again", async () => {
  const { storeLineList, namesOf } = await open();
  storeLineList(primary4, ["maths"], cart);
  expect(namesOf("l4")).toEqual([]);
  storeLineList(primary6, ["english"], cartOf(line("l4", "maths"), line("l2", "english")));
  expect(JSON.parse(entries.get(KEY) ?? "")).toEqual([{ ...primary6, lineIds: ["l2"] }]);
});

it.each([
  ["was never read", { status: "failed" as const, lines: [] }],
  ["could not be read again", cartOf(line("l1", "maths"), line("l3", "atlas"))],
])("keeps the earlier lists when the cart %s", async (_, unread) => {
  const { storeLineList, namesOf } = await open();
  storeLineList(primary4, ["maths", "english"], cart);
  storeLineList(primary6, ["grammar"], unread);
  expect([namesOf("l1"), namesOf("l2")]).toEqual([[primary4.name], [primary4.name]]);
});

it("stores the lists of the twenty latest additions", async () => {
  const { storeLineList, namesOf } = await open();
  for (let n = 0; n < 25; n += 1) storeLineList({ path: `/lists/L${n}`, name: `List ${n}` }, ["maths"], cart);
  expect(namesOf("l1")).toEqual(Array.from({ length: 20 }, (_, n) => `List ${24 - n}`));
});

it.each([
  "{",
  "7",
  JSON.stringify([{ ...primary4, path: "//evil.example", lineIds: ["l1"] }]),
  JSON.stringify([{ ...primary4, name: 7, lineIds: ["l1"] }]),
  JSON.stringify([{ ...primary4, lineIds: "l1" }, null]),
])("ignores stored lists that it could not have written: %s", async (text) => {
  entries.set(KEY, text);
  expect((await open()).namesOf("l1")).toEqual([]);
});

it("forgets the lists on signing out, and follows another tab", async () => {
  const { storeLineList, namesOf } = await open();
  storeLineList(primary4, ["maths"], cart);
  window.dispatchEvent(new Event("adwene-forget"));
  expect(namesOf("l1")).toEqual([]);
  window.dispatchEvent(Object.assign(new Event("storage"), { key: KEY }));
  expect(namesOf("l1")).toEqual([primary4.name]);
});
