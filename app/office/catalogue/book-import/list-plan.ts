import {
  countNames,
  type PublisherSpellings,
  publisherSpellings,
} from "#app/features/publishers/publisher-spelling.ts";
import {
  type BookImportNote,
  type BookImportRow,
  chunkBookImportRows,
  type ReadRow,
  readBookImportRow,
} from "./book-import.ts";
import type { BookImportMapping } from "./book-import-columns.ts";
import type { TableRow } from "./book-table.ts";
import { inCedis, ListCurrencies, type ListMoney } from "./list-prices.ts";
import { isCountOfCopies } from "./list-status.ts";
import { HIDDEN, type ListShape, ROWS_OF_SHAPE, type RowDoubt, RowSorter, shapeOf } from "./row-kinds.ts";
import { columnOf } from "./rows-left-out.ts";

/*
 * What is known of a list before any of its rows is sent, for the back office and the command alike: in which currencies its prices are, and
 * which of its lines aren't books. One pass gathers this; the choices based on it guide the second pass, which reads the rows.
 */

/** What headings of sections can fill in the rows below them. */
export const SECTION_FIELDS = ["grade_level", "subject", "course"] as const;
export type SectionField = (typeof SECTION_FIELDS)[number];

export type ListChoices = ListMoney & {
  /** Whether lines that may not be books are imported as books: all, none, or these. */
  takesUnsure: boolean | ReadonlySet<number>;
  sectionField: SectionField | null;
};

const plainChoices: ListChoices = { ...inCedis, takesUnsure: false, sectionField: null };

/** A line that isn't a book, or may not be one. */
export type OtherLine = RowDoubt & { line: number; text: string };

/** How many such lines of each kind are kept to be shown. */
const MOST_SHOWN = 200;

export class ListPlan {
  readonly currencies: ListCurrencies;
  /** The first lines that aren't books, or may not be. */
  readonly others: OtherLine[] = [];
  sureCount = 0;
  /** Of the sure ones, those that are hidden in the workbook. */
  hiddenCount = 0;
  unsureCount = 0;
  /** The first headings that stand above books. */
  readonly sections = new Set<string>();
  /** The availability column holds numbers of copies, so it doesn't say which titles are unavailable. */
  hasCountsOfCopies = false;
  readonly #columns: BookImportMapping["columns"];
  readonly #takesHidden: boolean;
  #first: TableRow[] = [];
  #shape: ListShape | null = null;
  #sorter: RowSorter | null = null;

  constructor(headings: readonly string[], columns: BookImportMapping["columns"], takesHidden = false) {
    this.#takesHidden = takesHidden;
    this.#columns = columns;
    this.currencies = new ListCurrencies(headings, columns);
  }

  /** Every row, in order; then `end`. */
  add(row: TableRow): void {
    const { availability } = this.#columns;
    if (availability !== undefined && row.problem === undefined)
      this.hasCountsOfCopies ||= isCountOfCopies(row.cells[availability] ?? "");
    if (this.#sorter) this.#sort(row, this.#sorter);
    else if (this.#first.push(brief(row)) === ROWS_OF_SHAPE) this.end();
  }

  /** Call after the last row. */
  end(): this {
    if (this.#sorter) return this;
    this.#shape = shapeOf(this.#first, this.#columns, this.#takesHidden);
    this.#sorter = this.sorter();
    for (const row of this.#first) this.#sort(row, this.#sorter);
    this.#first = [];
    return this;
  }

  /** For a second pass, from the first row. */
  sorter(): RowSorter {
    if (!this.#shape) throw new Error("The plan has not seen the list's rows.");
    const { availability, ...others } = this.#columns;
    return new RowSorter(this.#shape, this.hasCountsOfCopies ? others : this.#columns, this.#takesHidden);
  }

  #sort(row: TableRow, sorter: RowSorter): void {
    const doubt = sorter.sort(row);
    if (doubt?.reason !== HIDDEN) this.currencies.add(row, doubt);
    if (doubt === null) {
      const { section } = sorter;
      if (section !== null && this.sections.size < MOST_SHOWN) this.sections.add(section);
      return;
    }
    if (doubt.reason === HIDDEN) this.hiddenCount += 1;
    if (doubt.isSure) this.sureCount += 1;
    else this.unsureCount += 1;
    if ((doubt.isSure ? this.sureCount : this.unsureCount) > MOST_SHOWN) return;
    this.others.push({ ...doubt, line: row.line, text: lineText(row.cells) });
  }
}

const MOST_OF_CELL = 1_000;

/** The beginning of each cell is enough to tell what kind of line it is. It is copied, because a slice would hold the whole text in memory. */
function brief(row: TableRow): TableRow {
  if (row.cells.every((cell) => cell.length <= MOST_OF_CELL)) return row;
  return { ...row, cells: row.cells.map((cell) => structuredClone(cell.slice(0, MOST_OF_CELL))) };
}

/** A line's filled cells as one text to show. */
export const lineText = (cells: readonly string[]): string =>
  cells
    .filter((cell) => cell.trim() !== "")
    .join(" · ")
    .slice(0, 200);

/** The plan of a table that is in memory. */
export function planOf(
  rows: readonly TableRow[],
  headings: readonly string[],
  columns: BookImportMapping["columns"],
  takesHidden = false,
): ListPlan {
  const plan = new ListPlan(headings, columns, takesHidden);
  for (const row of rows) plan.add(row);
  return plan.end();
}

/** Reads a list's next row by what was chosen. */
export function readListRow(
  row: TableRow,
  sorter: RowSorter,
  listMapping: BookImportMapping,
  spellings: PublisherSpellings,
  { takesUnsure, sectionField, ...money }: ListChoices,
): ReadRow {
  const doubt = sorter.sort(row);
  const mapping = { ...listMapping, columns: sorter.columns };
  if (doubt?.isSure)
    return readBookImportRow({ ...row, problem: doubt.reason, notABook: true }, mapping, spellings, money);
  const isTaken = typeof takesUnsure === "boolean" ? takesUnsure : takesUnsure.has(row.line);
  if (doubt && !isTaken)
    return readBookImportRow({ ...row, problem: doubt.reason }, mapping, spellings, money);
  const read = readBookImportRow(row, mapping, spellings, money);
  if (sectionField && sorter.section !== null) read.row[sectionField] ??= sorter.section;
  return read;
}

/**
 * Reads a table's rows in chunks for staging, one at a time, on demand. Publishers get the first known
 * spelling, or that of the file.
 * @returns `hints` at what was understood, which grow with the chunks
 */
export function readBookImportRows(
  rows: readonly TableRow[],
  plan: ListPlan,
  mapping: BookImportMapping,
  knownPublishers: readonly string[],
  choices: ListChoices = plainChoices,
): { hints: BookImportNote[]; chunks: AsyncGenerator<BookImportRow[]> } {
  const hints: BookImportNote[] = [];
  const spellings = publisherSpellings(
    knownPublishers,
    countNames(columnOf(rows, mapping.columns.publisher)),
  );
  const sorter = plan.sorter();
  function* readRows(): Generator<BookImportRow> {
    for (const tableRow of rows) {
      const read = readListRow(tableRow, sorter, mapping, spellings, choices);
      hints.push(...read.hints);
      yield read.row;
    }
  }
  return { hints, chunks: chunkBookImportRows(readRows()) };
}
