import { expect, test } from "vitest";
import { readCodes, readCopies, readScan, signedCopies } from "./typed-scan.ts";

test.each([
  ["9780008123456", "9780008123456", null],
  [" 978-0-00-812345-6 × 12 ", "978-0-00-812345-6", 12],
  ["978-0-00-812345-6*3", "978-0-00-812345-6", 3],
  ["019853453X", "019853453X", null],
  ["019853453X x 4", "019853453X", 4],
  ["MATHS X12", "MATHS X12", null],
  ["MATHS x 12", "MATHS", 12],
  ["× 0", null, 0],
  ["x 7", null, 7],
  ["978 × many", "978 × many", null],
  ["978 × 1234567", "978 × 1234567", null],
])("%j is the code %s and %s copies", (typed, code, copies) => {
  expect(readScan(typed)).toEqual({ code, copies });
});

test("empty input is not a scan", () => {
  expect(readScan("  ")).toBeNull();
});

test("a line's field accepts copies, not a scanned code", () => {
  expect(["12", " 0 ", "9780008123456", "", "-1", "1.5"].map(readCopies)).toEqual([
    12,
    0,
    null,
    null,
    null,
    null,
  ]);
});

test("a pasted line's code is its first cell", () => {
  expect(readCodes("978-1\t3\r\n\n AB-2 , x\n;\nC 3")).toEqual(["978-1", "AB-2", "C 3"]);
});

test("differences show their sign", () => {
  expect([3, -1200, 0].map(signedCopies)).toEqual(["+3", "−1,200", "0"]);
});
