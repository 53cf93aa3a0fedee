import { isbnsIn } from "#app/features/books/isbn.ts";
import { type CsvRow, type Delimiter, lineAt, readCsv } from "#shared/tables/csv-reader.ts";
import { decodeText, type Encoding } from "#shared/tables/decode-text.ts";
import { bookImportColumns, countColumns, detectDelimiter, type KnownColumn } from "./book-import-columns.ts";

/** How a supplier's or a school's CSV file is read, whether the command or the back office reads it. */

/** One row of a table, with the line of the file on which it begins, counted from 1. */
export type TableRow = {
  line: number;
  cells: string[];
  /** The currencies that a workbook shows with its numbers, by column. */
  currencies?: Readonly<Record<number, string>>;
  /** Hidden in its workbook, by hand or by a filter. */
  hidden?: true;
  /** Why it is not a row of books; absent for all others. */
  problem?: string;
  /** Why it was left out before, in a list of rows left out. */
  formerReason?: string;
  /** What staff are told about it, and its cells do not say. */
  hint?: string;
  /** Nobody could mend it: it is a sum, a heading or a note. */
  notABook?: true;
};

export type BookTable = {
  headings: string[];
  rows: TableRow[];
  encoding: Encoding;
  /** Places of columns that are hidden in the workbook. */
  hiddenColumns?: readonly number[];
  /** The sheet that was read, if the file has others too. */
  sheet?: string;
  /** Other sheets, which are hidden in the workbook. */
  hiddenSheets?: readonly string[];
};

/** What the list of rows left out has before the file's own columns. Imported again, they are passed over. */
export const REPAIR_HEADINGS = ["Line", "Reason"] as const;

export const ABOVE_HEADINGS = "This line is above the headings.";
const REPEATED = "The headings are repeated here.";
export const TOTALS = "This looks like a line of totals, not a book.";

/** Products of an ONIX message that no shop sells, or not by themselves. */
export const NOT_FOR_SALE = {
  tradeOnly: "This is a display, a pack or promotional material for shops, not a title to sell.",
  notAlone: "The publisher does not sell this separately.",
  notHere: "The publisher does not sell this in Ghana.",
  digital: "This is a digital product without a price.",
} as const;
const notForSale: ReadonlySet<string> = new Set(Object.values(NOT_FOR_SALE));

/** Reasons why rows aren't books at all. */
export const NOT_BOOKS: ReadonlySet<string> = new Set([ABOVE_HEADINGS, REPEATED, TOTALS, ...notForSale]);

/** A file that cannot be imported, explained in a sentence. */
export class BookTableProblem extends Error {
  override name = "BookTableProblem";
}

/** Titles, addresses and dates above the headings are no longer than this. */
const MAX_LINES_ABOVE = 12;

/**
 * Reads a CSV file whole. Empty rows are passed over; every other row is there, those that are not books with a problem.
 * @param known the columns whose headings identify the line of headings and the separator
 * @throws BookTableProblem
 */
export function readBookTable(
  bytes: Uint8Array,
  known: readonly KnownColumn[] = bookImportColumns,
): BookTable {
  const { text, encoding } = decodeText(bytes);
  const shape = readTableShape(text, known);
  const { delimiter, line, width } = shape;
  const rows: TableRow[] = [];
  for (const row of readCsv(text.slice(shape.start), delimiter, { line, width })) {
    const read = readTableRow(row, shape);
    if (read) rows.push(read);
  }
  if (rows.length === 0) throw noRows();
  return { headings: shape.headings, rows, encoding };
}

export const noRows = () => new BookTableProblem("The file has headings and no rows.");

/** The layout of a table, found from its first lines. */
export type TableShape = {
  delimiter: Delimiter;
  /** Where the rows begin: the character, and the line of the file. */
  start: number;
  line: number;
  /** How many cells a row has in the file. */
  width: number;
  headingLine: number;
  headings: string[];
  /** A list of rows left out, whose own two columns are passed over. */
  isRepair: boolean;
};

/**
 * @param text the table or its first lines
 * @throws BookTableProblem
 */
export function readTableShape(text: string, known: readonly KnownColumn[] = bookImportColumns): TableShape {
  const { stated, start, line } = readSeparatorLine(text);
  const body = text.slice(start);
  const delimiter = stated ?? findDelimiter(body, known);
  const { cells, ...shape } = readHeadings(readCsv(body, delimiter, { line }), known);
  return { delimiter, start, line, width: cells.length, ...shape };
}

/** What the headings among the first rows say of a table. */
type Headings = Pick<TableShape, "headingLine" | "headings" | "isRepair">;

function readHeadings(rows: Iterable<CsvRow>, known: readonly KnownColumn[]): Headings & { cells: string[] } {
  const headingRow = findHeadings(rows, known);
  if (headingRow === undefined) throw new BookTableProblem("The file is empty.");
  const { cells, line: headingLine } = headingRow;
  const isRepair = REPAIR_HEADINGS.every((heading, place) => cells[place]?.trim() === heading);
  return { cells, headingLine, headings: ownCells(cells, isRepair), isRepair };
}

/** The table of rows that are cells already, as a workbook's are. */
export function tableOfRows(
  rows: readonly Pick<TableRow, "line" | "cells" | "currencies" | "hidden">[],
  known: readonly KnownColumn[],
): Pick<BookTable, "headings" | "rows"> {
  const whole = rows.map((row) => ({ ...row, brokenQuotes: false }));
  const shape = readHeadings(whole, known);
  const read = whole.flatMap((row) => readTableRow(row, shape) ?? []);
  if (read.length === 0) throw noRows();
  return { headings: shape.headings, rows: read };
}

/** A row as the table means it; null for its headings. */
export function readTableRow(
  row: CsvRow & Pick<TableRow, "currencies" | "hidden">,
  { headingLine, headings, isRepair }: Headings,
): TableRow | null {
  if (row.line === headingLine) return null;
  const cells = ownCells(row.cells, isRepair);
  const above = row.line < headingLine || (isRepair && row.cells[1] === ABOVE_HEADINGS);
  const formerReason = isRepair ? row.cells[1]?.trim() : undefined;
  // None of its own cells says it.
  const former = formerReason !== undefined && notForSale.has(formerReason) ? formerReason : null;
  const problem = above ? ABOVE_HEADINGS : (former ?? problemOf(cells, row.brokenQuotes, headings));
  // A list of rows left out has the currency in the cell itself.
  const currencies = isRepair ? undefined : row.currencies;
  return {
    line: row.line,
    cells,
    ...(currencies && { currencies }),
    ...(row.hidden && { hidden: row.hidden }),
    ...(problem && { problem }),
    ...(formerReason && { formerReason }),
  };
}

const ownCells = (cells: string[], isRepair: boolean) =>
  isRepair ? cells.slice(REPAIR_HEADINGS.length) : cells;

function problemOf(cells: string[], brokenQuotes: boolean, headings: string[]): string | null {
  if (brokenQuotes) return "A quotation mark opens in this row and never closes.";
  if (sameCells(cells, headings)) return REPEATED;
  if (cells.slice(headings.length).some((cell) => cell.trim() !== "")) {
    return "The row has more cells than there are headings.";
  }
  const [first = "", ...others] = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  const isTotal =
    /^(?:grand |sub-?)?totals?\b[^a-z]*$/i.test(first) &&
    others.every((cell) => /\d|^-$/.test(cell) && isbnsIn(cell).length === 0);
  return isTotal ? TOTALS : null;
}

function sameCells(some: string[], others: string[]): boolean {
  const written = (cells: string[]) => cells.map((cell) => cell.trim().toLowerCase()).join("\n");
  return written(some) === written(others);
}

/** Excel's own first line, 'sep=;', which is not a row. */
function readSeparatorLine(text: string): { stated: Delimiter | null; start: number; line: number } {
  const { content, next } = lineAt(text, 0);
  const sign = /^"?sep=(.)"?[,;\t]*$/i.exec(content)?.[1];
  if (sign === undefined) return { stated: null, start: 0, line: 1 };
  const stated = sign === "," || sign === ";" || sign === "\t" ? sign : null;
  return { stated, start: next, line: 2 };
}

/** The separator by which most headings are known; else the one that the first line has most of. */
function findDelimiter(body: string, known: readonly KnownColumn[]): Delimiter {
  const knownBy = (delimiter: Delimiter) =>
    countColumns(findHeadings(readCsv(body, delimiter), known)?.cells ?? [], known);
  let best = detectDelimiter(lineAt(body.trimStart(), 0).content);
  let most = knownBy(best);
  for (const delimiter of [",", ";", "\t"] as const) {
    const count = knownBy(delimiter);
    if (count > most) [best, most] = [delimiter, count];
  }
  return best;
}

/** The row among the first that has most known headings, at least two; else the first row of all. */
function findHeadings(rows: Iterable<CsvRow>, known: readonly KnownColumn[]): CsvRow | undefined {
  let first: CsvRow | undefined;
  let best: CsvRow | undefined;
  let most = 1;
  let seen = 0;
  for (const row of rows) {
    first ??= row;
    const count = countColumns(row.cells, known);
    if (count > most) [best, most] = [row, count];
    seen += 1;
    if (seen > MAX_LINES_ABOVE) break;
  }
  return best ?? first;
}
