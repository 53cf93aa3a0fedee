import { compactIsbn, isEan13, parseIsbn13 } from "#app/features/books/isbn.ts";

/*
 * EAN-13 as in the GS1 General Specifications, section 5.2. Lengths in modules; a module is 0.33 mm at 100 %. The numbers
 * below are the seven modules of a digit, 1 a bar: left with odd parity (L), left with even parity (G), right (R).
 */

const L = [
  "0001101",
  "0011001",
  "0010011",
  "0111101",
  "0100011",
  "0110001",
  "0101111",
  "0111011",
  "0110111",
  "0001011",
];
const inverted = (modules: string) => [...modules].map((module) => (module === "1" ? "0" : "1")).join("");
const R = L.map(inverted);
const G = R.map((modules) => [...modules].reverse().join(""));

/** The first digit has no bars; the parities of the next six encode it. */
const PARITIES = [
  "LLLLLL",
  "LLGLGG",
  "LLGGLG",
  "LLGGGL",
  "LGLLGG",
  "LGGLLG",
  "LGGGLL",
  "LGLGLG",
  "LGLGGL",
  "LGGLGL",
];

export const MODULE_MM = 0.33;
/** Readers need white space beside the bars. */
export const QUIET_LEFT = 11;
const QUIET_RIGHT = 7;
export const BARS = 95;
export const WIDTH = QUIET_LEFT + BARS + QUIET_RIGHT;
/** At 100 %: bars and digits, in millimetres. Shorter bars are readable too, and leave more room. */
export const FULL_HEIGHT_MM = 25.93;

/** The digits that a book's barcode has: its ISBN-13, or the EAN-13 of anything else; null without either. */
export function barcodeDigits(isbn: string | null): string | null {
  if (isbn === null) return null;
  const compact = compactIsbn(isbn);
  return parseIsbn13(isbn) ?? (isEan13(compact) ? compact : null);
}

/**
 * The 95 modules from the first guard bar to the last, 1 a bar.
 * @throws RangeError without a correct check digit
 */
export function encodeEan13(digits: string): string {
  if (!isEan13(digits)) throw new RangeError("Not an EAN-13");
  const [first, ...others] = [...digits].map(Number) as [number, ...number[]];
  const left = others
    .slice(0, 6)
    .map((digit, at) => (PARITIES[first]?.[at] === "L" ? L : G)[digit])
    .join("");
  const right = others
    .slice(6)
    .map((digit) => R[digit])
    .join("");
  return `101${left}01010${right}101`;
}

/** Where bars begin and how wide they are, counted from the first guard bar; `isGuard` bars are longer. */
export function barsOf(modules: string): { x: number; width: number; isGuard: boolean }[] {
  return [...modules.matchAll(/1+/g)].map(({ index, 0: run }) => ({
    x: index,
    width: run.length,
    isGuard: index < 3 || (index >= 45 && index < 50) || index >= 92,
  }));
}
