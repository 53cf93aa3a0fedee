import { BookTableProblem, readBookTable } from "#app/features/books/book-table.ts";

/*
 * Reads a file off the main thread, so that the page stays usable. Receives the file; posts its table, or the problem as a message.
 */
self.onmessage = async ({ data: file }: MessageEvent<File>) => {
  try {
    self.postMessage({ table: readBookTable(new Uint8Array(await file.arrayBuffer())) });
  } catch (error) {
    self.postMessage({
      problem: error instanceof BookTableProblem ? error.message : "The file cannot be read.",
    });
  }
};
