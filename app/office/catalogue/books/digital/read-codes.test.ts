import { expect, test } from "vitest";
import { batchesOf, listOf, readCodes } from "./read-codes.ts";

test("codes are read one per line, trimmed, without empty lines", () => {
  expect(readCodes('  AB-1 \r\n\n"CD 2"\t\n\u200bEF-3\ufeff\n')).toEqual({
    codes: ["AB-1", "CD 2", "EF-3"],
    duplicates: [],
    problem: null,
  });
  expect(readCodes(" \n")).toEqual({ codes: [], duplicates: [], problem: null });
});

test("a repeated code is added once, and named", () => {
  expect(readCodes("A\nB\n A\nC\nB\nB")).toMatchObject({ codes: ["A", "B", "C"], duplicates: ["A", "B"] });
});

test("errors about two columns and long codes name the lines", () => {
  expect(readCodes("A\nB\tC\nD").problem).toBe("Paste one column: line 2 has more than one.");
  expect(readCodes(`${"x".repeat(200)}\n${"x".repeat(201)}\n${"y".repeat(300)}`).problem).toBe(
    "A code has at most 200 characters: lines 2 and 3 have more.",
  );
});

test("a long list names the first items and counts the others", () => {
  expect(listOf(["a", "b", "c", "d", "e", "f", "g"])).toBe("a, b, c, d, e and 2 more");
});

test("batches have 1,000 codes, and nothing is left out", () => {
  const codes = Array.from({ length: 2_001 }, (_, index) => `C${index}`);
  expect(batchesOf(codes).map((batch) => batch.length)).toEqual([1_000, 1_000, 1]);
  expect(batchesOf(codes).flat()).toEqual(codes);
  expect(batchesOf([])).toEqual([]);
});
