import { expect, test } from "vitest";
import { readOrder, readSelect } from "./select.ts";

test("a text means the same each time it is read, however many others were read in between", () => {
  const read = (at: number) => [readSelect(`id,name${at}:title`), readOrder(`title${at}.desc`)];
  const first = Array.from({ length: 700 }, (_, at) => structuredClone(read(at)));
  expect(first[699]).toEqual([
    [
      { kind: "column", name: "id", alias: null },
      { kind: "column", name: "title", alias: "name699" },
    ],
    [{ column: "title699", descending: true, nulls: null }],
  ]);
  for (const _ of ["again", "remembered"])
    first.forEach((items, at) => {
      expect(read(at)).toEqual(items);
    });
});

test("a text that is refused is refused each time", () => {
  for (const _ of [1, 2]) {
    expect(() => readSelect("title::text")).toThrow("Casting a column");
    expect(() => readOrder("title.upwards")).toThrow();
  }
});
