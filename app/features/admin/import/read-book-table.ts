import { type CsvError, parse } from "csv-parse/browser/esm/sync";
import { bookTableOptions, explainTableFailure, NOT_UTF8 } from "#app/features/books/book-table.ts";
import { MOST_ROWS } from "./table-limits.ts";

/** One row of a table, with the line of the file on which it begins, counted from 1. */
export type TableRow = { line: number; cells: string[] };

export type BookTable = { headings: string[]; rows: TableRow[] };

/** A file that is no table to import, said in a sentence for people. */
export class BookTableProblem extends Error {
  override name = "BookTableProblem";
}

/**
 * Reads a CSV file whole: headings first, empty rows passed over.
 * @throws BookTableProblem
 */
export function readBookTable(bytes: Uint8Array): BookTable {
  const text = decode(bytes);
  const rows: TableRow[] = [];
  let line = 1;
  try {
    parse(text, {
      ...bookTableOptions(text.split(/[\r\n]/, 1)[0] ?? ""),
      info: false,
      on_record: (record, { lines }) => {
        if (record.some((cell) => cell.trim() !== "")) rows.push({ line, cells: record });
        line = lines + 1;
        return null;
      },
    });
  } catch (error) {
    throw new BookTableProblem(explainTableFailure(error as CsvError, line));
  }
  const [first, ...books] = rows;
  if (first === undefined) throw new BookTableProblem("The file is empty.");
  if (books.length === 0) throw new BookTableProblem("The file has headings and no rows.");
  if (books.length > MOST_ROWS) {
    throw new BookTableProblem(
      `The file has ${books.length.toLocaleString("en-GB")} rows. Split it into files of at most ${MOST_ROWS.toLocaleString("en-GB")}.`,
    );
  }
  return { headings: first.cells, rows: books };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BookTableProblem(NOT_UTF8);
  }
}
