import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { isbn13CheckDigit } from "#app/features/books/isbn.ts";
// biome-ignore lint/style/noRestrictedImports: pictures are read as in the browser tests
import { readBarcodesIn } from "#tests/support/read-barcodes.ts";
import { Barcode } from "./barcode.tsx";
import { barcodeDigits, barsOf, encodeEan13 } from "./ean13.ts";

/** For each first digit, which sets the parities, and each check digit: one code. */
function everyCode(): string[] {
  const codes = new Map<string, string>();
  for (let number = 0; codes.size < 100; number += 1) {
    const first = number % 10;
    const twelve = `${first}${String(number * 7_919_337)
      .padStart(11, "0")
      .slice(-11)}`;
    const check = isbn13CheckDigit(twelve);
    codes.set(`${first}${check}`, twelve + check);
  }
  return [...codes.values()];
}

describe("a barcode", () => {
  test.each([0.8, 0.9, 1])(
    "is read again for every parity and check digit at %d of its size, 300 dots an inch",
    { tags: "long" },
    async (scale) => {
      for (const digits of everyCode()) {
        const svg = renderToStaticMarkup(<Barcode digits={digits} scale={scale} heightMm={16} />);
        const standalone = svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
        expect(await readBarcodesIn(Buffer.from(standalone)), digits).toEqual([digits]);
      }
    },
  );

  test("is 113 modules wide with its quiet zones, and its guard bars are longer", () => {
    const svg = renderToStaticMarkup(<Barcode digits="9780140449136" scale={1} heightMm={25.93} />);
    expect(svg).toContain('width="37.29mm" height="25.93mm"');
    const path = /<path d="([^"]+)"/.exec(svg)?.[1] ?? "";
    const bars = [...path.matchAll(/M([\d.]+) 0h(\d)v([\d.]+)/g)].map(([, x, width, length]) => ({
      x: Number(x),
      width: Number(width),
      length: Number(length),
    }));
    expect(bars).toHaveLength(30);
    expect(bars[0]?.x).toBe(11);
    expect((bars.at(-1)?.x ?? 0) + (bars.at(-1)?.width ?? 0)).toBe(113 - 7);
    const longest = Math.max(...bars.map(({ length }) => length));
    expect(bars.filter(({ length }) => length === longest).map(({ x }) => x - 11)).toEqual([
      0, 2, 46, 48, 92, 94,
    ]);
  });
});

test("an EAN-13 is encoded as in the standard's example", () => {
  // Of 4006381333931, a pencil.
  expect(encodeEan13("4006381333931")).toBe(
    "10100011010100111010111101111010001001011001101010100001010000101000010111010010000101100110101",
  );
  expect(barsOf("10100")).toEqual([
    { x: 0, width: 1, isGuard: true },
    { x: 2, width: 1, isGuard: true },
  ]);
});

test.each(["9780140449137", "978014044913", "97801404491x6", ""])("%j is refused", (digits) => {
  expect(() => encodeEan13(digits)).toThrow(RangeError);
});

test.each([
  ["978-0-14-044913-6", "9780140449136"],
  ["0-14-044913-2", "9780140449136"],
  ["0140449139", null],
  ["4006381 333931", "4006381333931"],
  ["9780140449137", null],
  ["AB-12", null],
  [null, null],
])("the barcode of the ISBN %j has the digits %j", (isbn, digits) => {
  expect(barcodeDigits(isbn)).toBe(digits);
});
