import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { receiptDraft, restoredLines } from "./receipt-draft.ts";

const line = { title: "Atlas", isbn: null, expected: null, copies: "2", damaged: "1", cost: "7.35" };
const draft = {
  id: "0b5c1f1e-0000-4000-8000-00000000000a",
  lines: [{ ...line, book_id: "a" }],
  currency: "GBP",
  rate: "14.25",
  note: "Delivery note 7",
  changedAt: Date.UTC(2026, 10, 1),
};
const DAY_MS = 86_400_000;

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a receipt's draft is read back for two weeks, apart from that of another purchase order", () => {
  const [mine, other] = [receiptDraft("p1"), receiptDraft(null)];
  expect(mine.read(draft.changedAt)).toBeNull();
  mine.write(draft);
  expect(mine.read(draft.changedAt + 13 * DAY_MS)).toEqual(draft);
  expect(mine.read(draft.changedAt + 14 * DAY_MS)).toBeNull();
  expect(other.read(draft.changedAt)).toBeNull();
  mine.remove();
  expect(mine.read(draft.changedAt)).toBeNull();
});

test("an incomplete draft, such as one from another release, is not used", () => {
  const stored = receiptDraft(null);
  for (const change of [{ id: 7 }, { lines: {} }, { lines: [{ ...line }] }, { changedAt: "today" }]) {
    stored.write({ ...draft, ...change } as never);
    expect(stored.read(draft.changedAt), JSON.stringify(change)).toBeNull();
  }
});

test("restored lines are the expected ones with what was typed, then the others as books that were not ordered", () => {
  const expected = [
    { ...line, book_id: "a", expected: 4, copies: "0", damaged: "0", cost: "" },
    { ...line, book_id: "b", expected: 9, copies: "0", damaged: "0", cost: "" },
  ];
  const typed = [
    { ...line, book_id: "c", expected: 3, copies: "5" },
    { ...line, book_id: "a", expected: 6, copies: "2" },
  ];
  expect(restoredLines(expected, typed)).toEqual([
    { ...line, book_id: "a", expected: 4, copies: "2" },
    expected[1],
    { ...line, book_id: "c", expected: null, copies: "5" },
  ]);
});
