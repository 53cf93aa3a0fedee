import { describe, expect, it } from "vitest";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import type { BooklistLine } from "./booklist.ts";
import { encodeQr } from "./encode-qr.ts";
import { copiesFor, isAvailable, totalFor } from "./ticks.ts";

const lineOf = (stock: number | null, copies = 1, price = 12.5): BooklistLine => ({
  id: `${stock}`,
  title: "A book",
  copies,
  is_required: true,
  note: null,
  book_id: null,
  book: stock === null ? null : ({ price: pesewasFromCedis(price), stock_quantity: stock } as CardBook),
});

describe("a list for several children", () => {
  it("needs copies for each, even more than are in stock, which is checked when the order is placed", () => {
    expect(copiesFor(lineOf(10, 2), 3)).toBe(6);
    expect(copiesFor(lineOf(5, 2), 3)).toBe(6);
  });

  it("costs what its copies cost", () => {
    expect(totalFor([lineOf(10, 2), lineOf(5, 2, 10), lineOf(null)], 3)).toBe(
      pesewasFromCedis(6 * 12.5 + 60),
    );
    expect(totalFor([], 3)).toBe(0);
  });

  it("leaves out what is sold out or not sold", () => {
    expect([lineOf(1), lineOf(0), lineOf(null)].map(isAvailable)).toEqual([true, false, false]);
  });
});

describe("a QR code", () => {
  it("is a path on a grid with the margin that scanners need", () => {
    const { size, path } = encodeQr("https://books.example/lists/K7PXM-3Q9TB");
    expect(size).toBeGreaterThanOrEqual(25 + 8);
    expect(path).toMatch(/^(M\d+ \d+h(\d+)v1h-\2z)+$/);
    const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, ...numbers]) => numbers.map(Number));
    const cells = runs.flatMap(([x = 0, y = 0, length = 0]) => Array.from({ length }, (_, n) => [x + n, y]));
    expect(cells.length).toBeGreaterThan(200);
    // The first of the three squares is seven wide, and nothing is around the code.
    expect(runs[0]).toEqual([4, 4, 7]);
    expect(Math.max(...cells.flat())).toBe(size - 5);
    // Runs are apart, or they would be one.
    const ends = new Set(runs.map(([x = 0, y, length = 0]) => `${x + length} ${y}`));
    expect(runs.filter(([x, y]) => ends.has(`${x} ${y}`))).toEqual([]);
  });
});
