import { isbnsIn } from "#app/features/books/isbn.ts";
import { currenciesIn, withoutCurrencies } from "#shared/text/currencies.ts";
import { readPrice } from "#shared/text/typed-price.ts";
import type { BookImportMapping } from "./book-import-columns.ts";
import { ABOVE_HEADINGS, NOT_BOOKS, type TableRow, TOTALS } from "./book-table.ts";
import { doubtfulStateOf } from "./list-status.ts";

/*
 * Which rows of a list are books, and which are sums, headings of sections and notes. Those are known by what they are and what other rows
 * have: a book of a list with ISBNs has one. What may be either is asked about, never guessed.
 */

type Columns = BookImportMapping["columns"];

/** Why a row isn't a book, or may not be one. */
export type RowDoubt = { reason: string; isSure: boolean };

export const HIDDEN = "This row is hidden in the workbook.";
const UNITS = "This is a second line of headings.";
const SUM_ROW = "This is a sum, not a book.";
const NOTE_ROW = "This is a note, not a book.";
const HEADING = "This is a heading, not a book.";
const MAY_BE_SUM_OF_ABOVE = "This may be a sum, not a book: its price is the sum of those above.";
const MAY_BE_SUM = "This may be a sum, not a book.";
const MAY_BE_CHARGE = "This may be a charge or a discount, not a book.";
const MAY_BE_NOTE = "This may be a note, not a book.";
const MAY_BE_HEADING = "This may be a heading, not a book.";
const MAY_BE_NO_BOOK = "This may not be a book: it lacks what the other rows have.";

/** Whether a reason is certain. */
const KNOWN_REASONS: ReadonlyMap<string, boolean> = new Map([
  ...[UNITS, SUM_ROW, NOTE_ROW, HEADING].map((reason) => [reason, true] as const),
  ...[MAY_BE_SUM_OF_ABOVE, MAY_BE_SUM, MAY_BE_CHARGE, MAY_BE_NOTE, MAY_BE_HEADING, MAY_BE_NO_BOOK].map(
    (reason) => [reason, false] as const,
  ),
]);

/** What a list's rows usually have, from the first of them. */
export type ListShape = Readonly<Record<"isbn" | "publisher" | "price", boolean>>;

/** So many rows say what a list is like. */
export const ROWS_OF_SHAPE = 1_000;
const MOST_HAVE = 0.5;
/** Of fewer rows nothing is usual. */
const FEWEST_ROWS = 3;

/**
 * @param rows the first of a list
 * @param takesHidden hidden rows are like all others
 */
export function shapeOf(rows: readonly TableRow[], columns: Columns, takesHidden = false): ListShape {
  const books = rows.filter(({ problem, cells, hidden }) => {
    if (problem !== undefined || (hidden && !takesHidden)) return false;
    const [first = "", ...others] = filledCells(cells);
    return others.length > 0 && !SUM.test(first) && !TOTAL.test(first);
  });
  const isUsual = (name: keyof ListShape) =>
    books.length >= FEWEST_ROWS &&
    books.filter(({ cells }) => textAt(cells, columns[name]) !== "").length >= MOST_HAVE * books.length;
  return { isbn: isUsual("isbn"), publisher: isUsual("publisher"), price: isUsual("price") };
}

const filledCells = (cells: readonly string[]) =>
  cells.map((cell) => cell.trim()).filter((cell) => cell !== "");

const textAt = (cells: readonly string[], place: number | undefined) =>
  place === undefined ? "" : (cells[place] ?? "").trim();

/** Words that no title begins with, and those that one may: 'Total English'. */
const SUM = /^(?:(?:grand|sub|net|overall|page)[ -]*totals?\b|amount due\b|sum total\b)/i;
/** A sum where a page ends or begins, within a section. */
const CARRIED =
  /^(?:(?:balance |amount |total )?(?:carried|brought) (?:forward|down|over)\b|[bc](?:\/|\.)[fd]\.?$)/i;
const TOTAL = /^(?:totals?|sum)\b/i;
const TOTAL_ALONE = /^totals?[^\p{L}]*$/iu;

/** Below the sums. A book may begin with these, too: 'Balance in Nature'. */
const CHARGE_WORDS =
  "(?:vat|nhil|getfund|covid levy|(?:trade )?discount|less|delivery|transport(?:ation)?|postage|freight|shipping|handling|packing|insurance|balance|net (?:amount|payable|total))";
const CHARGE = new RegExp(`^${CHARGE_WORDS}\\b`, "i");
const CHARGE_ALONE = new RegExp(
  `^${CHARGE_WORDS}(?:[^\\p{L}]|\\b(?:charges?|fees?|costs?|due|of|at|and|&|${CHARGE_WORDS})\\b)*$`,
  "iu",
);

const NOTE =
  /subject to change|without (?:prior )?notice|e\.?\s?&\s?o\.?\s?e|\bbank\b|\baccount\b|\ba\/c\b|\bswift\b|\biban\b|\bmomo\b|mobile money|\btel\b|\bphone\b|www\.|@|\bterms\b|\bvat\b|\bthank|\bprices? (?:are|is|include|exclude|in)\b|\bpage \d+|\bcheques?\b|^note|^n\.?b\.?\b|^\*/i;

const LONGEST_HEADING = 60;

/** Sorts the rows of a list, from the first to the last. */
export class RowSorter {
  readonly #shape: ListShape;
  readonly #columns: Columns;
  readonly #takesHidden: boolean;
  #isFirst = true;
  /** What stands above the headings, and so on each page. */
  readonly #above = new Set<string>();
  #hasSeenSum = false;
  #section: string | null = null;
  /** Pesewas, or hundredths of another currency: since the last sum or heading, and of all. */
  #sums = { section: 0, sectionRows: 0, all: 0, allRows: 0 };

  /** @param takesHidden hidden rows are like all others */
  constructor(shape: ListShape, columns: Columns, takesHidden = false) {
    this.#takesHidden = takesHidden;
    this.#shape = shape;
    this.#columns = columns;
  }

  /** What the list's columns are, as its rows show. */
  get columns(): Columns {
    return this.#columns;
  }

  /** The heading above the rows that come now, such as a class. */
  get section(): string | null {
    return this.#section;
  }

  /** Null for a book, also one with problems. */
  sort(row: TableRow): RowDoubt | null {
    if (row.problem === TOTALS) return this.#endSection(TOTALS);
    if (row.problem === ABOVE_HEADINGS) for (const cell of filledCells(row.cells)) this.#above.add(cell);
    if (row.problem !== undefined) return NOT_BOOKS.has(row.problem) ? sure(row.problem) : null;
    const { cells, formerReason } = row;
    if ((row.hidden || formerReason === HIDDEN) && !this.#takesHidden) return sure(HIDDEN);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const filled = filledCells(cells);
    const text = filled.find((cell) => /\p{L}/u.test(cell)) ?? filled[0] ?? "";
    // The list of rows left out lacks the other rows, which the reason depended on. An ISBN may have been added since.
    if (formerReason !== undefined && !this.#isNamed(cells)) {
      if (formerReason === HEADING) return this.#beginSection(text);
      const isSure = KNOWN_REASONS.get(formerReason);
      if (isSure !== undefined) return { reason: formerReason, isSure };
    }
    const amount = amountOf(textAt(cells, this.#columns.price));
    const status = this.#status(cells);
    const doubt = status ?? this.#doubt(row, { text, filled: filled.length, amount, isFirst });
    // A sum is also of the titles that are out of print.
    if (status || doubt === null) this.#count(amount);
    return doubt;
  }

  #doubt(
    { cells }: TableRow,
    {
      text,
      filled,
      amount,
      isFirst,
    }: { text: string; filled: number; amount: number | null; isFirst: boolean },
  ): RowDoubt | null {
    const columns = this.#columns;
    const has = (name: keyof Columns) => textAt(cells, columns[name]) !== "";
    const price = textAt(cells, columns.price);
    const usual = this.#shape;
    if (this.#isNamed(cells)) return null;
    // A footer may stand in several columns: 'Bank', 'GCB', '1010101010101'.
    if (has("isbn"))
      return amount === null && NOTE.test(filledCells(cells).join(" ")) ? unsure(MAY_BE_NOTE) : null;
    /** Without ISBN and publisher, of which the other rows have one at least. */
    const isBare = !has("publisher") && (usual.isbn || usual.publisher);

    if (isFirst && !has("publisher") && (!has("title") || (isBare && amount === null && isUnit(price))))
      return sure(UNITS);

    const words = withoutCurrencies(text).trim();
    const isSum = amount !== null && this.#isSum(amount);
    if (CARRIED.test(words) && !has("publisher")) return sure(SUM_ROW);
    if (
      SUM.test(words) ||
      TOTAL_ALONE.test(words) ||
      (TOTAL.test(words) && isBare && (isSum || filled === 1))
    ) {
      if (has("authors")) return unsure(MAY_BE_SUM);
      if (!has("publisher")) return this.#endSection(SUM_ROW);
    }
    if (isBare && isSum)
      return has("title") || has("authors") ? unsure(MAY_BE_SUM_OF_ABOVE) : this.#endSection(SUM_ROW);
    if (TOTAL.test(words) && !has("publisher") && (isBare || isSum)) return unsure(MAY_BE_SUM);
    if (
      !has("publisher") &&
      (CHARGE_ALONE.test(words) || (CHARGE.test(words) && (isBare || this.#hasSeenSum)))
    )
      return unsure(MAY_BE_CHARGE);

    if (price !== "" || has("publisher") || has("authors") || columns.title === undefined) return null;
    if (this.#above.has(text)) return sure(NOTE_ROW);
    const evidence = Number(usual.isbn) + Number(usual.publisher) + Number(usual.price);
    const isNote = NOTE.test(text) || text.length > LONGEST_HEADING || /[.!;]$/.test(text);
    if (evidence === 0) return isNote && filled === 1 ? unsure(MAY_BE_NOTE) : null;
    if (filled > 1 && !isNote) return evidence > 1 ? unsure(MAY_BE_NO_BOOK) : null;
    if (isNote) return evidence > 1 && filled === 1 ? sure(NOTE_ROW) : unsure(MAY_BE_NOTE);
    if (evidence === 1) return unsure(MAY_BE_HEADING);
    return this.#beginSection(text);
  }

  #beginSection(text: string): RowDoubt {
    this.#endSection("");
    this.#section = sectionName(text);
    return sure(HEADING);
  }

  /** Staff decide about a title that may be unavailable before it goes on sale. */
  #status(cells: readonly string[]): RowDoubt | null {
    const state = doubtfulStateOf(cells, this.#columns);
    if (state === "last_copies" || state === "not_for_sale")
      return unsure("The list may say that it is out of print or no longer supplied.");
    if (state === "coming_soon") return unsure("The list may say that it is not yet published.");
    return null;
  }

  #count(amount: number | null): void {
    if (amount === null) return;
    this.#sums.section += amount;
    this.#sums.all += amount;
    this.#sums.sectionRows += 1;
    this.#sums.allRows += 1;
  }

  #isSum(amount: number): boolean {
    const { section, sectionRows, all, allRows } = this.#sums;
    return (sectionRows > 1 && amount === section) || (allRows > 1 && amount === all);
  }

  /** A row with one valid ISBN, or the shop's own id, is a book whatever else it says. */
  #isNamed(cells: readonly string[]): boolean {
    const { id, isbn } = this.#columns;
    return textAt(cells, id) !== "" || isbnsIn(textAt(cells, isbn)).length > 0;
  }

  #endSection(reason: string): RowDoubt {
    this.#hasSeenSum ||= reason !== "";
    this.#section = null;
    this.#sums.section = 0;
    this.#sums.sectionRows = 0;
    return sure(reason);
  }
}

const sure = (reason: string): RowDoubt => ({ reason, isSure: true });
const unsure = (reason: string): RowDoubt => ({ reason, isSure: false });

/** What prices are in, below their heading. */
const isUnit = (text: string): boolean => currenciesIn(text).length > 0;

function amountOf(text: string): number | null {
  const amount = text === "" ? null : readPrice(withoutCurrencies(text).trim());
  return typeof amount === "number" ? amount : null;
}

/** 'LOWER PRIMARY:' → 'Lower Primary'; 'JHS 1' stays. */
function sectionName(text: string): string {
  const name = text
    .replace(/\s*\(?(?:continued|cont(?:'|’)?d\.?|cont\.)\)?[\s:–-]*$/i, "")
    .replace(/[\s:–-]+$/, "");
  if (name !== name.toUpperCase()) return name;
  return name.replace(/\p{L}{4,}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());
}
