import type { SavedTable, TableCell } from "#shared/tables/table-file.ts";
import type { RowLeftOut } from "./book-import.queries.ts";
import { REPAIR_HEADINGS } from "./book-table.ts";

type RowsLeftOut = { fileName: string; headings: readonly string[]; rows: readonly RowLeftOut[] };

/** The rows left out as a table to repair and import again: the file's columns behind each row's line and reason. */
export function rowsLeftOutTable({ fileName, headings, rows }: RowsLeftOut): SavedTable {
  return { name: rowsLeftOutName(fileName), headings: leftOutHeadings(headings), rows: rows.map(leftOutRow) };
}

export const leftOutHeadings = (headings: readonly string[]) => [...REPAIR_HEADINGS, ...headings];

export function leftOutRow({ line, problems, cells }: RowLeftOut): TableCell[] {
  return [line, problems.join(" "), ...cells];
}

/** 'books.csv' → 'books-to-repair'; a repaired file keeps its name. */
export function rowsLeftOutName(fileName: string): string {
  return `${fileName.replace(/\.[^.]*$/, "").replace(/-to-repair(?:-\d+)?$/, "")}-to-repair`;
}

/** The spellings of a column's publishers as the rows of the file have them. */
export function columnOf(rows: readonly { cells: string[] }[], place: number | undefined): string[] {
  if (place === undefined) return [];
  return rows
    .map(({ cells }) => (cells[place] ?? "").trim().replace(/\s+/g, " "))
    .filter((cell) => cell !== "");
}
