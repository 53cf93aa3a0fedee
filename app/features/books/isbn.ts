import { hyphenateIsbn13 } from "./isbn-ranges.ts";

/**
 * ISBNs as people type them and spreadsheets mangle them. Books keep what their publisher printed; comparing and
 * searching go by the thirteen digits. A wrong check digit is never refused here: callers give a hint.
 */

/**
 * Letters and digits only, 'X' upper case: '978-0-00-812345-6', 'ISBN 0 19 853453 x' → '9780008123456', '019853453X'.
 */
export function compactIsbn(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/^\s*isbn(?:-?1[03])?\s*:?/i, "")
    .replace(/[\s\p{Pd}.]/gu, "")
    .toUpperCase();
}

/**
 * The thirteen digits of a valid ISBN-13 or ISBN-10 in any common spelling.
 * @returns null when it is neither, or its check digit is wrong.
 */
export function parseIsbn13(text: string): string | null {
  const compact = compactIsbn(text);
  if (isIsbn13(compact)) return compact;
  if (isIsbn10(compact)) return isbn13OfIsbn10(compact);
  return null;
}

/** True for exactly thirteen digits of the book prefixes 978 and 979 with a correct check digit. */
export function isIsbn13(compact: string): boolean {
  return /^97[89]/.test(compact) && isEan13(compact);
}

/** True for thirteen digits with a correct check digit: an ISBN-13, or the EAN-13 of anything else that is sold. */
export function isEan13(compact: string): boolean {
  return /^\d{13}$/.test(compact) && isbn13CheckDigit(compact) === compact[12];
}

/** True for exactly ten characters with a correct check digit, which may be X. */
export function isIsbn10(compact: string): boolean {
  return /^\d{9}[\dX]$/.test(compact) && isbn10CheckDigit(compact) === compact[9];
}

/** The check digit that belongs to the first twelve digits: weights 1 and 3 in turn, modulo 10. */
export function isbn13CheckDigit(digits: string): string {
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += Number(digits[index]) * (index % 2 === 0 ? 1 : 3);
  return String((10 - (sum % 10)) % 10);
}

/** The check character that belongs to the first nine digits: weights 10 down to 2, modulo 11, ten written X. */
export function isbn10CheckDigit(digits: string): string {
  let sum = 0;
  for (let index = 0; index < 9; index++) sum += Number(digits[index]) * (10 - index);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? "X" : String(check);
}

/** The ISBN-13 of a valid, compact ISBN-10. */
function isbn13OfIsbn10(isbn10: string): string {
  const first = `978${isbn10.slice(0, 9)}`;
  return first + isbn13CheckDigit(first);
}

/**
 * An ISBN-10 whose leading zeros a spreadsheet has dropped ('61120081' → '0061120081').
 * @returns null unless zeros in front make a valid ISBN-10. Fewer than seven characters are left alone: a short
 *   number is more likely a code of the shop's own, and one in eleven would fit by chance.
 */
export function restoreIsbn10Zeros(text: string): string | null {
  const compact = compactIsbn(text);
  if (!/^\d{6,8}[\dX]$/.test(compact)) return null;
  const padded = compact.padStart(10, "0");
  return isIsbn10(padded) ? padded : null;
}

/** For reading: a valid ISBN as thirteen digits with hyphens where the ranges are known; anything else unchanged. */
export function formatIsbn(text: string): string {
  const isbn13 = parseIsbn13(text);
  return isbn13 === null ? text : hyphenateIsbn13(isbn13);
}

/**
 * What identifies a book in the shop: its ISBN-13, or its code in one spelling; empty without letters and digits.
 * `private.isbn_key` in the database is the same rule; tests check both against the same examples.
 */
export function isbnKey(text: string): string {
  const isbn13 = parseIsbn13(restoreIsbn10Zeros(text) ?? text);
  if (isbn13) return isbn13;
  const code = compactIsbn(text).replace(/[^0-9A-Z]/g, "");
  if (/^\d+X?$/.test(code)) return code;
  return text
    .toUpperCase()
    .replace(/[^0-9A-Z]+/g, "-")
    .replace(/^-|-$/g, "");
}
