import { openWorkbook, type Workbook, WorkbookProblem } from "#app/lib/tables/read-workbook.ts";
import { needsWorkbookReader } from "#shared/tables/workbook.ts";
import { countColumns, type KnownColumn } from "./book-import-columns.ts";
import { type BookTable, BookTableProblem, readBookTable, tableOfRows } from "./book-table.ts";

/** Where a workbook has several sheets, their names to choose from. */
export type SheetChoice = {
  sheets: readonly string[];
  /** The one that looks most like the table that is looked for. */
  proposed?: string;
  /** Those that are hidden in the workbook. */
  hiddenSheets: readonly string[];
};

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
    const { sheets, hiddenSheets } = workbook;
    if (sheet === undefined && others.length > 0) {
      const proposed = await proposeSheet(workbook, known);
      return { sheets, hiddenSheets, ...(proposed !== undefined && { proposed }) };
    }
    const name = sheet ?? first;
    const hidden = new Set<number>();
    const table = tableOfRows(await workbook.read(name, maxRows, hidden), known);
    const hiddenColumns = [...hidden].filter((place) => table.headings[place]?.trim());
    return {
      ...table,
      encoding: "UTF-8",
      ...(hiddenColumns.length > 0 && { hiddenColumns }),
      ...((others.length > 0 || name !== first) && { sheet: name }),
      ...(hiddenSheets.length > 0 && { hiddenSheets: hiddenSheets.filter((hidden) => hidden !== name) }),
    };
  } catch (error) {
    throw error instanceof WorkbookProblem ? new BookTableProblem(error.message) : error;
  }
}

/** Headings stand among the first rows. */
const ROWS_TO_PEEK = 20;

/** The sheet with the most known headings; none if others have as many, or none has two. */
async function proposeSheet(
  { sheets, peek }: Workbook,
  known: readonly KnownColumn[],
): Promise<string | undefined> {
  const found: { name: string; count: number }[] = [];
  for (const name of sheets) {
    const rows = await peek(name, ROWS_TO_PEEK);
    found.push({ name, count: Math.max(...rows.map((cells) => countColumns(cells, known))) });
  }
  const [best, next] = found.sort((one, other) => other.count - one.count);
  return best && best.count > Math.max(next?.count ?? 0, 1) ? best.name : undefined;
}
