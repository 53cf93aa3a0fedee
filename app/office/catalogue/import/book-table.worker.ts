import { BookTableProblem } from "#app/office/catalogue/book-import/book-table.ts";
import { readTableFile } from "#app/office/catalogue/book-import/workbook-table.ts";
import { MOST_ROWS } from "./most-rows.ts";
import type { OpenedTable, ReadRequest } from "./open-book-table.ts";

/*
 * Reads a file off the main thread, so that the page stays usable. Receives the file, the columns to look for and the sheet, if it was chosen;
 * posts its table, the sheets to choose from, or the problem as a message.
 */
self.onmessage = async ({ data: { file, columns, sheet } }: MessageEvent<ReadRequest>) => {
  self.postMessage(await read());

  async function read(): Promise<OpenedTable> {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const table = await readTableFile(bytes, { known: columns, maxRows: MOST_ROWS, sheet });
      return "sheets" in table ? table : { table };
    } catch (error) {
      return { problem: error instanceof BookTableProblem ? error.message : "The file cannot be read." };
    }
  }
};
