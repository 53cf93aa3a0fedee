import { CSV_BYTE_ORDER_MARK, csvLine } from "#app/lib/csv.ts";
import type { RowLeftOut } from "./book-import.queries.ts";
import { REPAIR_HEADINGS } from "./book-table.ts";

/** The rows left out as a CSV file to repair and import again: the file's columns behind each row's line and reason. */
export function rowsLeftOutFile({ headings, rows }: { headings: string[]; rows: RowLeftOut[] }): string {
  return [leftOutHeadings(headings), ...rows.map(leftOutLine)].join("");
}

/** The file's beginning. */
export function leftOutHeadings(headings: string[]): string {
  return CSV_BYTE_ORDER_MARK + csvLine([...REPAIR_HEADINGS, ...headings]);
}

export function leftOutLine({ line, problems, cells }: RowLeftOut): string {
  return csvLine([line, problems.join(" "), ...cells]);
}

/** 'books.csv' → 'books-to-repair.csv'; a repaired file keeps its name. */
export function rowsLeftOutName(fileName: string): string {
  return `${fileName.replace(/\.[^.]*$/, "").replace(/-to-repair(?:-\d+)?$/, "")}-to-repair.csv`;
}

/** The spellings of a column's publishers as the rows of the file have them. */
export function columnOf(rows: readonly { cells: string[] }[], place: number | undefined): string[] {
  if (place === undefined) return [];
  return rows
    .map(({ cells }) => (cells[place] ?? "").trim().replace(/\s+/g, " "))
    .filter((cell) => cell !== "");
}
