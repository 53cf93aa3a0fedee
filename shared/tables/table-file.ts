/** Tables that are saved for spreadsheets, as CSV or as an Excel workbook. */

/** A Date is written to the minute in Ghana's time, an amount with two decimals. */
export type TableCell = string | number | Date | Amount | LiteralText | null | undefined;
export type Amount = { cedis: number };
/** A text that an import reads back: in CSV, a mark keeps spreadsheets from reading it as a number or a date. */
type LiteralText = { literal: string };

export type TableFormat = "csv" | "xlsx";

/** A file that is written row by row. */
export type TableFile = {
  /** @throws TableProblem */
  add: (rows: readonly (readonly TableCell[])[]) => Promise<void>;
  finish: () => Promise<Blob>;
};

/** A table that fits on a screen or a few, with the name of its file without the end. */
export type SavedTable = {
  name: string;
  headings: readonly string[];
  rows: readonly (readonly TableCell[])[];
};

/** A table that its format can't hold, in a sentence. */
export class TableProblem extends Error {
  override name = "TableProblem";
}

/** The format in which a table goes back to someone who sent a file of this name. */
export function formatOf(fileName: string): TableFormat {
  return /\.xls[xm]?$/i.test(fileName) ? "xlsx" : "csv";
}
