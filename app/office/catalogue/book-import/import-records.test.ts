import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetImportRecord, readImportRecord, saveImportRecord } from "./import-records.ts";

let stored: Map<string, string>;
afterEach(() => void vi.unstubAllGlobals());
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});

const hints = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    line: n + 2,
    message: `The ISBN ${n} has a wrong check digit.`,
  }));
const grouped = (count: number) => hints(count).map((hint) => ({ ...hint, rows: 1 }));

test("A recorded import says whether it is complete, and keeps its number of hints and the first hundred of them", () => {
  saveImportRecord("a", false, hints(101));
  saveImportRecord("b", true, []);
  expect(readImportRecord("a")).toEqual({ complete: false, hints: { count: 101, first: grouped(100) } });
  expect(readImportRecord("b")).toEqual({ complete: true, hints: { count: 0, first: [] } });
  expect(readImportRecord("c")).toBeNull();
  const price = { line: 4, message: "The price is 0." };
  saveImportRecord("d", true, [price, ...hints(1), { ...price, line: 5 }]);
  expect(readImportRecord("d")?.hints).toEqual({ count: 3, first: [{ ...price, rows: 2 }, ...grouped(1)] });
  expect([...stored.keys()]).toEqual(["adwene-book-imports"]);
});

test("Only the latest record of each import is stored, for the five latest imports", () => {
  for (const id of ["a", "b", "c", "d", "e"]) saveImportRecord(id, false, []);
  saveImportRecord("a", true, []);
  expect(readImportRecord("a")?.complete).toBe(true);
  saveImportRecord("f", true, []);
  expect(["a", "b", "c", "d", "e", "f"].filter((id) => readImportRecord(id))).toEqual([
    "a",
    "c",
    "d",
    "e",
    "f",
  ]);
});

test("Saving one import repeatedly does not displace the others", () => {
  for (const id of ["a", "b", "c", "d", "e"]) saveImportRecord(id, false, []);
  for (let time = 0; time < 5; time += 1) saveImportRecord("e", true, []);
  expect(["a", "b", "c", "d", "e"].filter((id) => readImportRecord(id))).toHaveLength(5);
});

test("A forgotten import is removed, and the others stay", () => {
  saveImportRecord("a", true, []);
  saveImportRecord("b", true, []);
  forgetImportRecord("a");
  expect([readImportRecord("a"), readImportRecord("b")?.complete]).toEqual([null, true]);
});

test.each(["{ half", "null", "{}", '"text"'])(
  "Anything else stored under that name (%s) is ignored",
  (text) => {
    stored.set("adwene-book-imports", text);
    expect(readImportRecord("a")).toBeNull();
    saveImportRecord("a", true, []);
    expect(readImportRecord("a")?.complete).toBe(true);
  },
);

test("An import works in a browser without storage", () => {
  const denied = () => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: denied, setItem: denied });
  expect(() => saveImportRecord("a", true, [])).not.toThrow();
  expect(readImportRecord("a")).toBeNull();
});
