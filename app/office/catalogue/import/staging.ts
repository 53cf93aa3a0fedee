import { type RetryOptions, retryStep } from "#app/lib/backend/retry.ts";
import type { BookImportNote, BookImportRow } from "#app/office/catalogue/book-import/book-import.ts";
import type { BookImportMapping } from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { TableRow } from "#app/office/catalogue/book-import/book-table.ts";
import {
  type ListChoices,
  type ListPlan,
  readBookImportRows,
} from "#app/office/catalogue/book-import/list-plan.ts";

export type Staging = {
  /** What was understood and may be wrong. */
  hints: BookImportNote[];
  /** Rows sent so far. */
  done: () => number;
  /**
   * Sends what is left, chunk by chunk; after a failure it continues with the chunk that failed.
   * @throws what `send` throws in the end
   */
  run: (
    send: (rows: BookImportRow[]) => Promise<void>,
    how: RetryOptions & { onProgress: (done: number) => void },
  ) => Promise<void>;
};

/** The way of a table's rows into the database's staging. Rows are read chunk by chunk, so that the page stays alive. */
export function prepareStaging(
  rows: readonly TableRow[],
  mapping: BookImportMapping,
  cataloguePublishers: readonly string[],
  plan: ListPlan,
  listChoices?: ListChoices,
): Staging {
  const { hints, chunks } = readBookImportRows(rows, plan, mapping, cataloguePublishers, listChoices);
  let sent = 0;
  let pending: BookImportRow[] | null = null;

  return {
    hints,
    done: () => sent,
    run: async (send, { onProgress, ...how }) => {
      for (;;) {
        if (pending === null) {
          const next = await chunks.next();
          if (next.done) return;
          pending = next.value;
        }
        const chunk = pending;
        await retryStep(() => send(chunk), how);
        sent += chunk.length;
        pending = null;
        onProgress(sent);
      }
    },
  };
}
