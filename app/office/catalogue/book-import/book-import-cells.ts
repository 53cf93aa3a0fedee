import {
  compactIsbn,
  isIsbn10,
  isIsbn13,
  parseIsbn13,
  restoreIsbn10Zeros,
} from "#app/features/books/isbn.ts";
import { type DigitalBy, kindNames } from "#app/features/books/kind-names.ts";
import type { BookKind } from "#app/features/books/kinds.ts";
import { readDecimal } from "#shared/text/typed-price.ts";

/** Cells as suppliers and their spreadsheets write them. What can be understood in two ways is refused, never guessed. */

/** What a cell means, or why that cannot be known. */
export type Reading<Value> = { value: Value; problem?: never } | { problem: string };

/** A number of copies: '12', '1,200', '12.0', '12 copies'. */
export function readStockCell(text: string): Reading<number | string> {
  const bare = text.replace(/[\s\p{Z}'’]/gu, "").replace(/(?:copies|copy|pcs|pieces|units?)\.?$/i, "");
  const number = readDecimal(bare);
  if (number === "ambiguous") {
    return { problem: `The stock ${text} can be read in two ways. Write it without thousands separators.` };
  }
  return { value: number !== null && Number.isInteger(number) ? number : text };
}

const kindWords: Record<BookKind, RegExp> = {
  book: /^(?:printed?|text|work|exercise|story|picture)?-?(?:books?|paperbacks?|hardbacks?|hardcovers?)$/,
  digital:
    /^(?:digital(?:title|download|book|product)?s?|e-?(?:book|pub)s?|pdfs?|downloads?|licen[cs]e(?:code)?s?)$/,
  stationery: /^station[ea]r(?:y|ies)(?:items?)?$/,
};

const digitalWords: Record<DigitalBy, RegExp> = {
  file: /^(?:files?|downloads?|pdfs?|e-?(?:book|pub)s?)$/,
  code: /^(?:(?:licen[cs]e|access|activation)?(?:code|key)s?|licen[cs]es?)$/,
};

function readWord<Word extends string>(text: string, words: Record<Word, RegExp>): Word | undefined {
  const compact = text.toLowerCase().replace(/[\s\p{Z}_]/gu, "");
  return (Object.keys(words) as Word[]).find((word) => words[word].test(compact));
}

/** What a title is: 'Book', 'e-book', 'Stationery'. */
export function readKindCell(text: string): Reading<BookKind> {
  const value = readWord(text, kindWords);
  const known = Object.values(kindNames).join(", ");
  return value ? { value } : { problem: `The kind ${text} is not one of ${known}.` };
}

/** How a digital title is delivered: 'Files', 'Licence codes'. */
export function readDigitalByCell(text: string): Reading<DigitalBy> {
  const value = readWord(text, digitalWords);
  return value
    ? { value }
    : { problem: `A digital title is delivered as Files or Licence codes, not as ${text}.` };
}

/** 'Mensah, Ama; Addo, Kofi' → 'Ama Mensah, Kofi Addo'. With more commas it is not known where a name ends: such a text stays. */
export function withSurnamesLast(text: string): string {
  const names = text.split(/\s*;\s*/).filter(Boolean);
  if (names.some((name) => name.split(",").length > 2)) return text;
  return names
    .map((name) =>
      name
        .split(/\s*,\s*/)
        .reverse()
        .join(" ")
        .trim(),
    )
    .join(", ");
}

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*";

/** Dates as spreadsheets make them of codes such as 12-3-26; a time may follow. */
const DATE = new RegExp(
  `^(?:\\d{1,2}[/.-]\\d{1,2}[/.-](?:\\d{2}|\\d{4})|\\d{4}[/.-]\\d{1,2}[/.-]\\d{1,2}|` +
    `(?:\\d{1,2}[ -])?${MONTH}[ -](?:\\d{1,2}, ?)?\\d{2,4}|\\d{1,2}[ -]${MONTH})(?:[ T]\\d{1,2}:\\d{2}.*)?$`,
  "i",
);

/**
 * The ISBN that was printed; text that is none stays, because it may be a shop's own code. Digits that a spreadsheet has
 * rounded away cannot be recovered: storing what is left would give the book another's number.
 */
export function readIsbnCell(text: string): Reading<string> {
  if (/^\d+(?:[.,]\d+)?\s*e\s*\+?\d+$/i.test(text)) {
    return { problem: `The ISBN ${text} has lost its digits in a spreadsheet. Copy it from the book.` };
  }
  if (DATE.test(text)) {
    return { problem: `The ISBN ${text} is a date, made by a spreadsheet. Copy it from the book.` };
  }
  const compact = compactIsbn(text);
  if (/^97[89]\d*0{6}$/.test(compact) || (/^97[89]\d{5}0{5}$/.test(compact) && !isIsbn13(compact))) {
    return { problem: `The ISBN ${text} was rounded by a spreadsheet. Copy it from the book.` };
  }
  const known = parseIsbn13(restoreIsbn10Zeros(text) ?? text) ?? withDigits(compact);
  if (known === null && HAS_LETTERS.test(compact))
    return { problem: `The ISBN ${text} has letters among its digits. Copy it from the book.` };
  return { value: known ?? text };
}

const HAS_LETTERS = /^97[89](?=\d*[OIL])[\dOIL]{10}$/;

/** An ISBN-13 that was typed or scanned with letters for digits: the check digit tells. Shorter codes may be the shop's own. */
function withDigits(compact: string): string | null {
  return HAS_LETTERS.test(compact) ? parseIsbn13(compact.replaceAll("O", "0").replace(/[IL]/g, "1")) : null;
}

/** True for what has an ISBN's length but not its check digit. */
export function hasWrongCheckDigit(isbn: string): boolean {
  const compact = compactIsbn(isbn);
  return /^\d{8,13}X?$/.test(compact) && !isIsbn13(compact) && !isIsbn10(compact);
}

/** '#REF!', '#NAME?', '#####': what a spreadsheet shows instead of a value. An empty cell is '#N/A'. */
export function isSpreadsheetError(text: string): boolean {
  return /^#(?:REF!?|VALUE!?|NAME\??|DIV\/0!?|NUM!?|NULL!?|#+)$/i.test(text);
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  eacute: "é",
  egrave: "è",
  ecirc: "ê",
  euml: "ë",
  agrave: "à",
  acirc: "â",
  aacute: "á",
  auml: "ä",
  ccedil: "ç",
  iacute: "í",
  icirc: "î",
  iuml: "ï",
  ntilde: "ñ",
  oacute: "ó",
  ocirc: "ô",
  ouml: "ö",
  uacute: "ú",
  ugrave: "ù",
  ucirc: "û",
  uuml: "ü",
  Eacute: "É",
  szlig: "ß",
  pound: "£",
  copy: "©",
  reg: "®",
  trade: "™",
  deg: "°",
  frac12: "½",
  frac14: "¼",
  times: "×",
};

/** 'Maths &amp; You' → 'Maths & You': titles copied from web shops, some of them escaped twice. */
export function decodeEntities(text: string): string {
  let decoded = text;
  for (let time = 0; time < 3 && decoded.includes("&"); time += 1) {
    decoded = decoded.replace(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+\d*));/gi,
      (whole, decimal, hex, name) => {
        if (name !== undefined) return ENTITIES[name] ?? ENTITIES[name.toLowerCase()] ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
        const isCharacter = code > 0x1f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        return isCharacter ? String.fromCodePoint(code) : whole;
      },
    );
  }
  return decoded;
}
