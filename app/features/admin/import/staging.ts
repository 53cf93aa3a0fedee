import { type KeepTrying, keepTrying } from "#app/features/admin/keep-trying.ts";
import {
  type BookImportNote,
  type BookImportRow,
  chunkBookImportRows,
  readBookImportRow,
} from "#app/features/books/book-import.ts";
import type { BookImportMapping } from "#app/features/books/book-import-columns.ts";
import type { TableRow } from "./read-book-table.ts";

export type StagingNotes = {
  /** What was understood and may be wrong. */
  hints: BookImportNote[];
  /** Rows that stay behind because their cells do not fit the headings. */
  shifted: BookImportNote[];
};

export type Staging = {
  notes: StagingNotes;
  /** Rows read so far, those that stay behind included. */
  done: () => number;
  /**
   * Sends what is left, chunk by chunk; after a failure it continues with the chunk that failed.
   * @throws what `send` throws in the end
   */
  run: (
    send: (rows: BookImportRow[]) => Promise<void>,
    how: KeepTrying & { onProgress: (done: number) => void },
  ) => Promise<void>;
};

/** The way of a table's rows into the database's staging. Rows are read chunk by chunk, so that the page stays alive. */
export function prepareStaging(rows: readonly TableRow[], mapping: BookImportMapping): Staging {
  const notes: StagingNotes = { hints: [], shifted: [] };
  let sent = 0;
  let pending: BookImportRow[] | null = null;

  function* fittingRows(): Generator<BookImportRow> {
    for (const { cells, line } of rows) {
      const result = readBookImportRow(cells, line, mapping);
      if (result.row === null) {
        notes.shifted.push(result.problem);
      } else {
        notes.hints.push(...result.hints);
        yield result.row;
      }
    }
  }
  const chunks = chunkBookImportRows(fittingRows());
  const done = () => sent + notes.shifted.length;

  return {
    notes,
    done,
    run: async (send, { onProgress, ...how }) => {
      for (;;) {
        if (pending === null) {
          const next = await chunks.next();
          if (next.done) return;
          pending = next.value;
        }
        const chunk = pending;
        await keepTrying(() => send(chunk), how);
        sent += chunk.length;
        pending = null;
        onProgress(done());
      }
    },
  };
}
