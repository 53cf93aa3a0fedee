import { openWorkbook, WorkbookProblem } from "#app/lib/tables/read-workbook.ts";
import { needsWorkbookReader } from "#shared/tables/workbook.ts";
import type { KnownColumn } from "./book-import-columns.ts";
import { type BookTable, BookTableProblem, readBookTable, tableOfRows } from "./book-table.ts";

/** Where a workbook has several sheets, their names to choose from. */
export type SheetChoice = { sheets: readonly string[] };

type TableOptions = {
  known: readonly KnownColumn[];
  /** The most rows that a sheet may have. */
  maxRows: number;
  /** The sheet to read; needed only where a workbook has several. */
  sheet?: string | undefined;
};

/**
 * Reads a CSV file or an Excel workbook, whichever its bytes are, whatever its name says.
 * @throws BookTableProblem
 */
export async function readTableFile(
  bytes: Uint8Array,
  { known, maxRows, sheet }: TableOptions,
): Promise<BookTable | SheetChoice> {
  if (!needsWorkbookReader(bytes)) return readBookTable(bytes, known);
  try {
    const workbook = await openWorkbook(bytes);
    const [first = "", ...others] = workbook.sheets;
    if (sheet === undefined && others.length > 0) return { sheets: workbook.sheets };
    const name = sheet ?? first;
    const hidden = new Set<number>();
    const table = tableOfRows(await workbook.read(name, maxRows, hidden), known);
    const hiddenColumns = [...hidden].filter((place) => table.headings[place]?.trim());
    return {
      ...table,
      encoding: "UTF-8",
      ...(hiddenColumns.length > 0 && { hiddenColumns }),
      ...(others.length > 0 && { sheet: name }),
    };
  } catch (error) {
    throw error instanceof WorkbookProblem ? new BookTableProblem(error.message) : error;
  }
}
