import { BookTableProblem } from "#app/office/catalogue/book-import/book-table.ts";
import { readOnixTable } from "#app/office/catalogue/book-import/onix-table.ts";
import { openPackedOnix } from "#app/office/catalogue/book-import/packed-onix.ts";
import { MOST_ROWS, MOST_UNPACKED } from "./most-rows.ts";
import type { OpenedTable, ReadRequest } from "./open-book-table.ts";

/* Reads an ONIX message as the other worker reads a table; only with one its reader of XML is downloaded. */
self.onmessage = async ({ data: { file } }: MessageEvent<ReadRequest>) => {
  self.postMessage(await read());

  async function read(): Promise<OpenedTable> {
    try {
      const packed = await openPackedOnix(file, MOST_UNPACKED);
      return { table: await readOnixTable(packed?.() ?? piecesOf(file), MOST_ROWS) };
    } catch (error) {
      return { problem: error instanceof BookTableProblem ? error.message : "The file cannot be read." };
    }
  }
};

const PIECE_BYTES = 1_000_000;

/** Not file.stream(), over which Safari cannot iterate. */
async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE_BYTES)
    yield new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer());
}
