import { BookTableProblem, readBookTable } from "./read-book-table.ts";

/*
 * Reads a file beside the page, which stays usable meanwhile. Gets the file, answers its table or the problem in words.
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
