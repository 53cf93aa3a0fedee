import type { SaleState } from "#app/features/books/sale-states.ts";
import type { BookImportMapping } from "./book-import-columns.ts";

/*
 * What a list says of a title: in print, out of print, not yet published; in words, in the trade's letters, or in ONIX codes of the lists 64
 * (publishing status) and 65 (availability), which mean different things by the same number.
 */

/** What the shop makes of it; `isOut` of a title that is on sale but can't be had now, such as one that is being reprinted. */
export type ListState = { state: SaleState; isOut: boolean };

const STATUS_COLUMNS = ["sale_state", "availability"] as const;

export type StatusColumn = (typeof STATUS_COLUMNS)[number];

/** What nobody may sell, and what staff have taken off sale. */
const OFF = /^(?:not for sale|(?:permanently |temporarily )?withdrawn\b.*|recalled\b.*)$/i;
/** What can't be ordered again: the copies that there are can still be sold. */
const LAST =
  /^(?:while stocks last|o\.?\/?p\.?|oop|osi|nla|out[ -]of[ -]print\b.*|out of stock indefinitely\b.*|discontinued\b.*|cancelled|abandoned|no longer (?:available|published|supplied|sold)\b.*|not available|unavailable|remaindered|(?:replaced|superseded)\b.*)$/i;
const LATER =
  /^(?:(?:n\/?y\/?p|not (?:yet )?(?:published|available yet|out)|not yet available|to be published|forthcoming|postponed|coming soon|pre-?order)\b.*)$/i;
const OUT =
  /^(?:r\.?\/?p\.?|(?:re-?printing|under reprint(?:ing)?|being reprinted|awaiting (?:reprint|re-?issue|stock)|reprint (?:under|due|expected))\b.*|t?\.?o\.?\/?s\.?|oos|(?:temporarily )?out[ -]of[ -]stock|temporarily unavailable\b.*)$/i;
const ON_SALE =
  /^(?:i\.?\/?p\.?|in[ -]print\b.*|active|available(?: now| to order)?|in stock|(?:on|for) sale|current|published)$/i;

type Codes = { off: RegExp; last: RegExp; later: RegExp; out: RegExp; onSale: RegExp };

const codes: Record<StatusColumn, Codes> = {
  // Withdrawn, recalled; cancelled, no longer ours, out of stock indefinitely, out of print, inactive, remaindered; forthcoming, postponed; active.
  sale_state: {
    off: /^1[125-7]$/,
    last: /^(?:01|0[5-8]|10)$/,
    later: /^0[23]$/,
    out: /^$/,
    onSale: /^04$/,
  },
  // Withdrawn, recalled; cancelled and not available; not yet; temporarily unavailable, out of stock, reprinting, awaiting reissue; available.
  availability: {
    off: /^4[69]$/,
    last: /^(?:01|4\d|5[0-2])$/,
    later: /^(?:09|1[0-2])$/,
    out: /^3[0-4]$/,
    onSale: /^2[0-3]$/,
  },
};

const meaningOf = (text: string, column: StatusColumn): ListState | null => {
  const word = text.trim().replace(/\s+/g, " ");
  const { off, last, later, out, onSale } = codes[column];
  if (OFF.test(word) || off.test(word)) return { state: "not_for_sale", isOut: false };
  if (LAST.test(word) || last.test(word)) return { state: "last_copies", isOut: false };
  if (LATER.test(word) || later.test(word)) return { state: "coming_soon", isOut: false };
  if (word !== "" && (OUT.test(word) || out.test(word))) return { state: "on_sale", isOut: true };
  return ON_SALE.test(word) || onSale.test(word) ? { state: "on_sale", isOut: false } : null;
};

/** All codes of availability, and the two that may have lost their zero. */
const AVAILABILITY_CODE = /^(?:0?[19]|1[0-2]|2[0-3]|3[0-4]|4\d|5[0-2]|9[79])$/;

/** Whether a number under Availability isn't one of the codes: the column then holds numbers of copies. */
export const isCountOfCopies = (text: string): boolean =>
  /^\d+$/.test(text.trim()) && !AVAILABILITY_CODE.test(text.trim());

/** One digit may be a code that a spreadsheet has shortened, or a list's own. */
const shortenedMeaning = (text: string, column: StatusColumn): ListState | null =>
  /^\d$/.test(text.trim()) ? meaningOf(`0${text.trim()}`, column) : null;

/** Null for words that are not known, which change nothing. */
export const readListState = (text: string, column: StatusColumn): ListState | null =>
  meaningOf(text, column);

type Columns = BookImportMapping["columns"];

function cellsOf(cells: readonly string[], columns: Columns) {
  return STATUS_COLUMNS.flatMap((column) => {
    const place = columns[column];
    return place === undefined ? [] : [{ column, text: cells[place] ?? "" }];
  });
}

const ORDER: readonly SaleState[] = ["not_for_sale", "last_copies", "coming_soon", "on_sale"];

/** What a row's columns say together: what can't be had is said by either of them. */
export function rowStateOf(cells: readonly string[], columns: Columns): ListState | null {
  const states = cellsOf(cells, columns).flatMap(({ column, text }) => meaningOf(text, column) ?? []);
  const state = ORDER.find((one) => states.some((other) => other.state === one));
  return state === undefined ? null : { state, isOut: states.some(({ isOut }) => isOut) };
}

/** The state that a row may have, if its code is what is left of one; null for what is on sale. */
export function doubtfulStateOf(cells: readonly string[], columns: Columns): SaleState | null {
  const [doubtful] = cellsOf(cells, columns).flatMap(
    ({ column, text }) => shortenedMeaning(text, column) ?? [],
  );
  return !doubtful || doubtful.state === "on_sale" ? null : doubtful.state;
}
