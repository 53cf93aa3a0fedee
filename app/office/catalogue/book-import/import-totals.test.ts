import { expect, test } from "vitest";
import {
  copyWords,
  exampleWords,
  type ImportTotals,
  newCopiesWords,
  priceWords,
  ratioWords,
  readTotals,
} from "./import-totals.ts";

const sums = {
  ...{ rise: 0, fall: 0, stay: 0, price_before: 0, price_after: 0 },
  ...{ more: 0, fewer: 0, copies_before: 0, copies_after: 0, new_copies: 0 },
};
const totals = (changed: Partial<typeof sums>): ImportTotals =>
  readTotals({
    sums: { ...sums, ...changed },
    ...{ price_ratios: [], price_amounts: [], stock_moves: [], oddities: [] },
  });

test("says how many prices rise, fall and stay, what they sum up to, and the share that falls", () => {
  expect(priceWords(totals({ stay: 5 }))).toEqual([]);
  expect(priceWords(totals({ rise: 1, stay: 1, price_before: 45, price_after: 49.5 }))).toEqual([
    "1 price rises, 0 fall, 1 stays.",
    "Together, the changed ones go from GH₵45.00 to GH₵49.50 (+10.0 %).",
  ]);
  const falling = { rise: 1_497, fall: 3, price_before: 1_000, price_after: 950 };
  expect(priceWords(totals(falling))).toEqual([
    "1,497 prices rise, 3 fall (under 1 % of the changes), 0 stay.",
    "Together, the changed ones go from GH₵1,000.00 to GH₵950.00 (−5.0 %).",
  ]);
  expect(priceWords(totals({ fall: 2, price_before: 9 }))[0]).toBe("0 prices rise, 2 fall, 0 stay.");
});

test("says how many stocks rise and fall, and how many copies new books bring", () => {
  expect(copyWords(totals({}))).toEqual([]);
  expect(copyWords(totals({ more: 2, fewer: 1, copies_before: 0, copies_after: 1, new_copies: 1 }))).toEqual([
    "Stock rises for 2 books and falls for 1.",
    "Together, it goes from 0 to 1 copy.",
    "New books bring 1 copy.",
  ]);
});

test.each([
  [0, 0, ""],
  [1, 0, "The new book has no copies, so customers can't order it yet."],
  [2, 0, "The new books have no copies, so customers can't order them yet."],
  [1, 1, "Customers can then order 1 copy of the new book: make sure that you have it."],
  [14, 1_070, "Customers can then order 1,070 copies of the new books: make sure that you have them."],
])("says what customers can order of %i new books with %i copies", (added, new_copies, words) => {
  expect(newCopiesWords(added, totals({ new_copies }))).toBe(words);
});

test("puts what must be confirmed first and leaves out oddities that are few or unknown", () => {
  const examples = [{ line: 2, title: "New", old_title: "Old", price: 450, old_price: 45, publisher: "P" }];
  const { oddities } = readTotals({
    sums,
    ...{ price_ratios: [], price_amounts: [], stock_moves: [] },
    oddities: [
      { kind: "doubled", count: 3, level: "odd", examples },
      { kind: "free", count: 1, level: "odd", examples },
      { kind: "of_a_later_release", count: 1, level: "grave", examples },
      { kind: "sold_out", count: 1, level: null, examples },
      { kind: "tenfold", count: 1, level: "grave", examples },
    ],
  });
  expect(oddities.map(({ kind, isGrave }) => [kind, isGrave])).toEqual([
    ["tenfold", true],
    ["free", false],
    ["doubled", false],
  ]);
  const [row] = oddities[0]?.examples ?? [];
  if (!row) throw new Error("The example is missing.");
  expect(exampleWords("tenfold", row)).toBe("New: GH₵45.00 → GH₵450.00");
  expect(exampleWords("other_title", row)).toBe("Old → New");
  expect(exampleWords("new_publisher", row)).toBe("P: New");
  expect(exampleWords("off_sale", { line: 2, title: "Old", stock: 1_200 })).toBe("Old: 1,200 copies");
  expect(ratioWords(row)).toBe("10 times");
});
