import type { KnownColumn } from "#app/features/book-import/book-import-columns.ts";
import { BookTableProblem, readBookTable } from "#app/features/book-import/book-table.ts";

/*
 * Reads a file off the main thread, so that the page stays usable. Receives the file and the columns to look for; posts its table, or the
 * problem as a message.
 */
self.onmessage = async ({
  data: { file, columns },
}: MessageEvent<{ file: File; columns: readonly KnownColumn[] }>) => {
  try {
    self.postMessage({ table: readBookTable(new Uint8Array(await file.arrayBuffer()), columns) });
  } catch (error) {
    self.postMessage({
      problem: error instanceof BookTableProblem ? error.message : "The file cannot be read.",
    });
  }
};
