import { storableCell, suppliedCell } from "#app/office/catalogue/book-import/book-import.ts";
import {
  type Reading,
  readIsbnCell,
  readStockCell,
} from "#app/office/catalogue/book-import/book-import-cells.ts";
import type { ColumnMapping } from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { TableRow } from "#app/office/catalogue/book-import/book-table.ts";
import { limits, MAX_LINES } from "#app/office/schools/booklists/booklist-draft.ts";
import { readPositionCell, readRequiredCell, readSchoolYearCell } from "./list-cells.ts";
import type { ListColumn } from "./list-columns.ts";

/** One row of the file: a line of a list, with the problems that the file itself shows. */
export type ListRow = {
  /** The line of the file where it begins, from 1. */
  line: number;
  /** The cells as in the file, for the download of rows left out. */
  cells: string[];
  problems: string[];
  isbn: string | null;
  title: string | null;
  /** Text that is not a number stays as it is, so that the database refuses it. */
  copies: number | string;
  is_required: boolean;
  note: string | null;
  /** The row's position on the list as the file gives it; Infinity, which sorts last, if it gives none. */
  position: number;
};

/** The rows of one list, in order. */
export type FileList = { school: string; class_name: string; school_year: string; rows: ListRow[] };

/** Rows that belong to no list: repeated headings, totals. */
export type LooseRow = { line: number; cells: string[]; problems: string[] };

/** The lists of a table in the order of their first rows; a list's rows need not be adjacent. */
export function readLists(
  rows: readonly TableRow[],
  mapping: ColumnMapping<ListColumn>,
): { lists: FileList[]; loose: LooseRow[] } {
  const lists = new Map<string, FileList>();
  const loose: LooseRow[] = [];
  for (const row of rows) {
    if (row.problem) {
      loose.push({ line: row.line, cells: row.cells.map(storableCell), problems: [row.problem] });
      continue;
    }
    const { list, ...line } = readRow(row, mapping);
    const key = [list.school, list.class_name, list.school_year].map(foldName).join("\n");
    const existing = lists.get(key) ?? { ...list, rows: [] };
    existing.rows.push(line);
    lists.set(key, existing);
  }
  for (const { rows } of lists.values()) {
    rows.sort((one, other) => one.position - other.position || one.line - other.line);
    const [first] = rows;
    if (first && rows.length > MAX_LINES)
      first.problems.push(`A booklist can have up to ${MAX_LINES} lines. This one has ${rows.length}.`);
  }
  return { lists: [...lists.values()], loose };
}

/** Case, accents and zeros before a number do not make another list; the database compares in the same way. */
function foldName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, ""));
}

function readRow({ line, cells }: TableRow, { columns }: ColumnMapping<ListColumn>) {
  const problems: string[] = [];
  const text = (column: ListColumn) => {
    const index = columns[column];
    return index === undefined ? null : suppliedCell(cells[index], column === "title") || null;
  };
  /** A cell's value, or `otherwise` if it has a problem. */
  const read = <Value>(reading: Reading<Value>, otherwise: Value): Value => {
    if (reading.problem === undefined) return reading.value;
    problems.push(reading.problem);
    return otherwise;
  };
  const isbn = text("isbn");
  const copies = text("copies");
  const year = text("school_year");
  return {
    line,
    cells: cells.map(storableCell),
    problems,
    list: {
      school: text("school") ?? "",
      class_name: text("class_name") ?? "",
      school_year: year === null ? "" : read(readSchoolYearCell(year), year),
    },
    isbn: isbn === null ? null : read(readIsbnCell(isbn), isbn),
    // One character more than the database's limit: still refused as too long, but no longer unbounded.
    title: text("title")?.slice(0, limits.title + 1) ?? null,
    copies: copies === null ? 1 : read<number | string>(readStockCell(copies), copies),
    is_required: read(readRequiredCell(text("required")), true),
    note: text("note")?.slice(0, limits.note + 1) ?? null,
    position: read(readPositionCell(text("position")), null) ?? Number.POSITIVE_INFINITY,
  };
}
