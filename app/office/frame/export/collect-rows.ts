import { type RetryOptions, retryStep } from "#app/lib/backend/retry.ts";
import type { TableFile } from "#shared/tables/table-file.ts";
import type { ExportTable } from "./export-table.ts";

/** Rows per step: the most that the data API returns. */
export const STEP_SIZE = 1_000;

/** The list's current search and filters; empty means all. Orders have several filters. */
export type ExportFilters = {
  q: string;
  filter: string;
  method?: string;
  region?: string;
  payment?: string;
  kind?: string;
  saleState?: string;
  from?: string;
  to?: string;
  by?: string;
};

/** A list that is read in steps; each step returns where the next begins. */
export type ExportSource<Row extends { id: string }, Place> = {
  /** The current number of rows. */
  count: () => Promise<number>;
  /** Where to begin in a list with this many rows. */
  first: (total: number) => Place;
  read: (place: Place) => Promise<{ rows: Row[]; next: Place | null }>;
};

/**
 * The pages of a list sorted oldest first, read from the last page to the first: new rows appear behind the reader,
 * and a deletion moves rows towards the pages still to be read, never past them.
 */
export function fromLastPage<Row extends { id: string }>(
  readPage: (page: number) => Promise<Row[]>,
): Pick<ExportSource<Row, number>, "first" | "read"> {
  return {
    first: (total) => Math.max(1, Math.ceil(total / STEP_SIZE)),
    read: async (page) => ({
      rows: (await readPage(page)).toReversed(),
      next: page > 1 ? page - 1 : null,
    }),
  };
}

type Collecting = RetryOptions & {
  file: TableFile;
  /** Called after each step with the rows collected so far and the number at the start. */
  onProgress: (done: number, total: number) => void;
};

/** If other users' changes move rows past the reader, the list is read again, at most this often. */
const MAX_ROUNDS = 3;

/**
 * Reads a whole list into a file, every row once, however many there are; only what the file has of them is kept.
 * A step that fails temporarily is retried.
 * @returns the number of rows
 * @throws BackendFailure when a step does not succeed; TableProblem; the signal's reason when it is aborted
 */
export async function collectRows<Row extends { id: string }, Place>(
  source: ExportSource<Row, Place>,
  table: ExportTable<Row>,
  { file, onProgress, ...how }: Collecting,
): Promise<number> {
  const seen = new Set<string>();
  const total = await retryStep(source.count, how);
  onProgress(0, total);
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    let place: Place | null = source.first(Math.max(total, seen.size));
    while (place !== null) {
      const at: Place = place;
      const step = await retryStep(() => source.read(at), how);
      const fresh = step.rows.filter(({ id }) => !seen.has(id));
      for (const { id } of fresh) seen.add(id);
      await file.add(fresh.flatMap(table.linesOf));
      onProgress(seen.size, Math.max(total, seen.size));
      place = step.next;
    }
    if (seen.size >= (await retryStep(source.count, how))) break;
  }
  how.signal.throwIfAborted();
  return seen.size;
}
