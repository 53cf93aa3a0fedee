import { MAX_ROWS_AT_ONCE } from "#app/office/catalogue/book-import/book-import.queries.ts";
import type { KnownColumn } from "#app/office/catalogue/book-import/book-import-columns.ts";
import { BookTableProblem } from "#app/office/catalogue/book-import/book-table.ts";
import { readTableFile } from "#app/office/catalogue/book-import/workbook-table.ts";
import type { OpenedTable } from "./open-book-table.ts";

type Request = { file: File; columns: readonly KnownColumn[]; sheet: string | undefined };

/** Rows above the headings, and theirs. */
const MORE_ROWS = 20;

/*
 * Reads a file off the main thread, so that the page stays usable. Receives the file, the columns to look for and the sheet, if it was chosen;
 * posts its table, the sheets to choose from, or the problem as a message.
 */
self.onmessage = async ({ data: { file, columns, sheet } }: MessageEvent<Request>) => {
  self.postMessage(await read());

  async function read(): Promise<OpenedTable> {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const table = await readTableFile(bytes, {
        known: columns,
        maxRows: MAX_ROWS_AT_ONCE + MORE_ROWS,
        sheet,
      });
      return "sheets" in table ? table : { table };
    } catch (error) {
      return { problem: error instanceof BookTableProblem ? error.message : "The file cannot be read." };
    }
  }
};
