import { currenciesIn, withoutCurrencies } from "#shared/text/currencies.ts";
import { readPrice } from "#shared/text/typed-price.ts";
import type { BookImportMapping } from "./book-import-columns.ts";
import { NOT_BOOKS, type TableRow, TOTALS } from "./book-table.ts";
import { readListStatus } from "./list-status.ts";

/*
 * Which rows of a list are books, and which are sums, headings of sections and notes. Those are known by what they are and what other rows
 * have: a book of a list with ISBNs has one. What may be either is asked about, never guessed.
 */

type Columns = BookImportMapping["columns"];

/** Why a row isn't a book, or may not be one. */
export type RowDoubt = { reason: string; isSure: boolean };

/** What a list's rows usually have, from the first of them. */
export type ListShape = Readonly<Record<"isbn" | "publisher" | "price", boolean>>;

/** So many rows say what a list is like. */
export const ROWS_OF_SHAPE = 1_000;
const MOST_HAVE = 0.5;
/** Of fewer rows nothing is usual. */
const FEWEST_ROWS = 3;

/** @param rows the first of a list */
export function shapeOf(rows: readonly TableRow[], columns: Columns): ListShape {
  const books = rows.filter(({ problem, cells }) => {
    const [first = "", ...others] = filledCells(cells);
    return problem === undefined && others.length > 0 && !SUM.test(first) && !TOTAL.test(first);
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
const SUM =
  /^(?:(?:grand|sub|net|overall|page)[ -]*totals?\b|(?:balance |amount |total )?(?:carried|brought) (?:forward|down|over)\b|[bc](?:\/|\.)[fd]\.?$|amount due\b|sum total\b)/i;
const TOTAL = /^(?:totals?|sum)\b/i;
const TOTAL_ALONE = /^totals?[^\p{L}]*$/iu;

/** Below the sums. A book may begin with these, too: 'Balance in Nature'. */
const CHARGE =
  /^(?:vat|nhil|getfund|covid levy|discount|less|delivery|transport|postage|freight|handling|packing|insurance|balance|net (?:amount|payable|total))\b/i;

const NOTE =
  /subject to change|without (?:prior )?notice|e\.?\s?&\s?o\.?\s?e|\bbank\b|\baccount\b|\ba\/c\b|\bswift\b|\biban\b|\bmomo\b|mobile money|\btel\b|\bphone\b|www\.|@|\bterms\b|\bvat\b|\bthank|\bprices? (?:are|is|include|exclude|in)\b|\bpage \d+|\bcheques?\b|^note|^n\.?b\.?\b|^\*/i;

const LONGEST_HEADING = 60;

/** Sorts the rows of a list, from the first to the last. */
export class RowSorter {
  readonly #shape: ListShape;
  readonly #columns: Columns;
  readonly #takesHidden: boolean;
  #isFirst = true;
  #section: string | null = null;
  /** Pesewas, or hundredths of another currency: since the last sum or heading, and of all. */
  #sums = { section: 0, sectionRows: 0, all: 0, allRows: 0 };

  /** @param takesHidden hidden rows are like all others */
  constructor(shape: ListShape, columns: Columns, takesHidden = false) {
    this.#takesHidden = takesHidden;
    this.#shape = shape;
    this.#columns = columns;
  }

  /** The heading above the rows that come now, such as a class. */
  get section(): string | null {
    return this.#section;
  }

  /** Null for a book, also one with problems. */
  sort(row: TableRow): RowDoubt | null {
    if (row.problem === TOTALS) return this.#endSection(TOTALS);
    if (row.problem !== undefined) return NOT_BOOKS.has(row.problem) ? sure(row.problem) : null;
    if (row.hidden && !this.#takesHidden) return sure(HIDDEN);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const { cells } = row;
    const filled = filledCells(cells);
    const text = filled.find((cell) => /\p{L}/u.test(cell)) ?? filled[0] ?? "";
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
    if (has("id") || has("isbn") || has("authors")) return null;
    const usual = this.#shape;
    /** Without ISBN and publisher, of which the other rows have one at least. */
    const isBare = !has("publisher") && (usual.isbn || usual.publisher);
    const price = textAt(cells, columns.price);

    if (isFirst && !has("publisher") && (!has("title") || (isBare && amount === null && isUnit(price))))
      return sure("This is a second line of headings.");

    const words = withoutCurrencies(text).trim();
    const isSum = amount !== null && this.#isSum(amount);
    if (
      SUM.test(words) ||
      TOTAL_ALONE.test(words) ||
      (TOTAL.test(words) && isBare && (isSum || filled === 1))
    ) {
      if (!has("publisher")) return this.#endSection("This is a sum, not a book.");
    }
    if (isBare && isSum)
      return has("title")
        ? unsure("This may be a sum, not a book: its price is the sum of those above.")
        : this.#endSection("This is a sum, not a book.");
    if (TOTAL.test(words) && !has("publisher") && (isBare || isSum))
      return unsure("This may be a sum, not a book.");
    if (CHARGE.test(words) && isBare) return unsure("This may be a charge or a discount, not a book.");

    if (price !== "" || has("publisher") || columns.title === undefined) return null;
    const evidence = Number(usual.isbn) + Number(usual.publisher) + Number(usual.price);
    const isNote = NOTE.test(text) || text.length > LONGEST_HEADING || /[.!;]$/.test(text);
    if (evidence === 0) return isNote && filled === 1 ? unsure("This may be a note, not a book.") : null;
    if (filled > 1 && !isNote)
      return evidence > 1 ? unsure("This may not be a book: it lacks what the other rows have.") : null;
    if (isNote)
      return evidence > 1 && filled === 1
        ? sure("This is a note, not a book.")
        : unsure("This may be a note, not a book.");
    if (evidence === 1) return unsure("This may be a heading, not a book.");
    this.#endSection("");
    this.#section = sectionName(text);
    return sure("This is a heading, not a book.");
  }

  /** A title that cannot be had is not put on sale without a word. */
  #status(cells: readonly string[]): RowDoubt | null {
    for (const column of ["status", "availability"] as const) {
      const status = readListStatus(textAt(cells, this.#columns[column]), column);
      if (status === "gone") return unsure("The list says that it is out of print or no longer supplied.");
      if (status === "later") return unsure("The list says that it is not yet published.");
    }
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

  #endSection(reason: string): RowDoubt {
    this.#section = null;
    this.#sums.section = 0;
    this.#sums.sectionRows = 0;
    return sure(reason);
  }
}

export const HIDDEN = "This row is hidden in the workbook.";

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
  const name = text.replace(/[\s:–-]+$/, "");
  if (name !== name.toUpperCase()) return name;
  return name.replace(/\p{L}{4,}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());
}
