import { plainCode } from "#shared/text/plain-code.ts";

/**
 * ISBNs as people type them, chat apps and spreadsheets mangle them, and scanners send them. `supabase/schema`'s
 * 05-isbn.sql is the same rule; tests check both against the same spellings. A wrong check digit is never refused here:
 * callers give a hint.
 */

/** A scanner sends the barcode's five digits of a price after the thirteen of the book. */
const ADD_ON = /\b(97[89][0-9]{10})\+?[0-9]{5}\b/g;
/** 'ISBN', 'ISBN-13', 'ISBN (10)', 'EAN'. */
const LABEL =
  /\b(?:E-?)?(?:ISBN|EAN)(?:[ -]?\(?1[03]\)?(?![0-9])|1[03](?=97[89][0-9]{10}|[0-9]{9}[0-9X](?![0-9X])))?/g;
/** '(pbk)', 'Hardback': the same code with or without it. Not 'e-book', which tells two of the shop's own codes apart. */
const BINDING = /\b(?:PBK|HBK|PB|HB|P\/B|H\/B|PAPERBACK|HARDBACK|HARDCOVER|SOFTBACK|SOFTCOVER|CASED)\b/g;

/** Ten or thirteen characters, right or wrong. */
const ISBN_LENGTH = /^(?:[0-9]{13}|[0-9]{9}[0-9X])$/;

/** A code in upper case without labels, bindings, add-ons, quotation marks and brackets. */
function bareCode(text: string): string {
  return (
    plainCode(text)
      .toUpperCase()
      .replace(ADD_ON, "$1")
      .replace(LABEL, " ")
      .replace(BINDING, " ")
      .replace(/[[\]="'():]+/g, " ")
      .trim()
      // Spreadsheets also write whole numbers as 9780306406157.0.
      .replace(/^([0-9]+)[.,]0+$/, "$1")
  );
}

/** Letters and digits only, 'X' upper case: '978-0-00-812345-6', 'ISBN 0 19 853453 x' → '9780008123456', '019853453X'. */
export function compactIsbn(text: string): string {
  return bareCode(text).replace(/[^0-9A-Z]/g, "");
}

/** The different ISBN-13s of a text that has nothing but ISBNs; empty if it has anything else, or a wrong check digit. */
export function isbnsIn(text: string): string[] {
  const compact = compactIsbn(text);
  if (ISBN_LENGTH.test(compact)) return [isbn13OfCode(compact)].filter((isbn13) => isbn13 !== null);
  const bare = bareCode(text);
  if (!/^[0-9X .,;/&|+-]+$/.test(bare)) return [];
  const found = new Set<string>();
  for (const piece of bare.split(/[,;/&|+]+/)) {
    const whole = isbn13OfCode(joined(piece));
    for (const code of whole === null ? piece.split(" ").map(joined) : [whole]) {
      if (code === "") continue;
      const isbn13 = isbn13OfCode(code);
      if (isbn13 === null) return [];
      found.add(isbn13);
    }
  }
  return [...found];
}

const joined = (code: string) => code.replace(/[ .-]/g, "");

function isbn13OfCode(compact: string): string | null {
  if (isIsbn13(compact)) return compact;
  return isIsbn10(compact) ? isbn13OfIsbn10(compact) : null;
}

/**
 * The thirteen digits of a valid ISBN-13 or ISBN-10 in any common spelling.
 * @returns null when it is neither, its check digit is wrong, or there are several.
 */
export function parseIsbn13(text: string): string | null {
  const [isbn13 = null, ...others] = isbnsIn(text);
  return others.length === 0 ? isbn13 : null;
}

/** True for one ISBN or several, and for ten or thirteen digits with a wrong check digit. */
export function looksLikeIsbn(text: string): boolean {
  return ISBN_LENGTH.test(compactIsbn(text)) || isbnsIn(text).length > 0;
}

/**
 * An ISBN or a shop's own code as it is stored and shown: a valid ISBN as its thirteen digits, ten or thirteen others
 * without hyphens, a code of the shop's own as it was typed.
 */
export function writtenIsbn(text: string): string {
  const compact = compactIsbn(text);
  return parseIsbn13(text) ?? (ISBN_LENGTH.test(compact) ? compact : plainCode(text));
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

/**
 * What identifies a book in the shop: its ISBN-13, or its code in one spelling; empty without letters and digits.
 * `private.isbn_key` in the database is the same rule.
 */
export function isbnKey(text: string): string {
  const isbn13 = parseIsbn13(restoreIsbn10Zeros(text) ?? text);
  if (isbn13) return isbn13;
  const code = compactIsbn(text);
  if (/^\d+X?$/.test(code)) return code;
  return plainCode(text)
    .toUpperCase()
    .replace(/[^0-9A-Z]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** The ISBN of a line of an order or a quote as its digits, however it was stored; null for other codes and for stationery. */
export function printedIsbn({ isbn, kind }: { isbn: string | null; kind?: string | null }): string | null {
  return isbn && kind !== "stationery" && looksLikeIsbn(isbn) ? writtenIsbn(isbn) : null;
}
