import { expect, test } from "vitest";
import { type Delimiter, readCsv } from "./csv-reader.ts";

/** Each row's cells, `broken` behind them where a quotation mark never closes. */
const read = (text: string, delimiter: Delimiter = ",", width = 0) =>
  [...readCsv(text, delimiter, { width })].map(({ cells, brokenQuotes }) =>
    brokenQuotes ? [...cells, "broken"] : cells,
  );

test("A row of nothing but spaces counts as empty and is skipped", () => {
  expect(read("a,b\n , \n\t\n  c,")).toEqual([
    ["a", "b"],
    ["  c", ""],
  ]);
});

test.each(["", "\n", "\r\n", "\r"])("A cell's quotation marks may close before the end %j", (end) => {
  expect(read(`a,"b, c"${end}`)).toEqual([["a", "b, c"]]);
  expect(read(`"a"  ${end}d,e`)[0]?.[0]).toBe(end ? "a" : '"a"  d');
});

test("A quoted cell of several lines belongs to its row, even in a table of one column", () => {
  expect(read('a,"b\nc"\nd,e\n', ",", 2)).toEqual([
    ["a", "b\nc"],
    ["d", "e"],
  ]);
  expect(read('"b\nc"\nd\n', ",", 1)).toEqual([["b\nc"], ["d"]]);
});

test.each([
  ["one line", 'a,"b\nc,d"\n'],
  ["several lines", 'a,"b\nx\nc,d"\r\n'],
])("A mark that would swallow %s up to a complete row is taken literally", (_, text) => {
  const rows = read(text, ",", 2);
  expect(rows[0]).toEqual(["a", '"b', "broken"]);
  expect(rows.at(-1)).toEqual(["c", 'd"']);
});

test("A mark is taken literally if with it the row has the wrong number of cells and without it the right one", () => {
  expect(read('a,"b\nc",d,e\n', ",", 2)[0]).toEqual(["a", '"b', "broken"]);
  expect(read('a,x,"b\nc",d,e\n', ",", 2)[0]).toEqual(["a", "x", "b\nc", "d", "e"]);
});

test("A row with a broken mark keeps its last cell, even an empty one", () => {
  expect(read('a,"b,\n')).toEqual([["a", '"b', "", "broken"]]);
});

test("A semicolon that ends an escaped character does not separate cells; a comma after the same letters does", () => {
  expect(read("Schofield &amp; Sims;5", ";")).toEqual([["Schofield &amp; Sims", "5"]]);
  expect(read("amp;5;&#x20b5;", ";")).toEqual([["amp", "5", "&#x20b5;"]]);
  expect(read("R&amp,5")).toEqual([["R&amp", "5"]]);
});

test("A quoted cell has at most 100,000 characters, wherever in its row it begins", () => {
  const cell = "a".repeat(100_000);
  expect(read(`"${cell}"`)).toEqual([[cell]]);
  expect(read(`"${cell}a"`)).toEqual([[`"${cell}a"`, "broken"]]);
  expect(read(`${cell},"b"`)).toEqual([[cell, "b"]]);
});
