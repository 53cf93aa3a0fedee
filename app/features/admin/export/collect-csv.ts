import { type KeepTrying, keepTrying } from "#app/features/admin/keep-trying.ts";
import { CSV_BYTE_ORDER_MARK } from "#app/lib/csv.ts";
import { type ExportColumns, headingLine, rowLine } from "./export-columns.ts";

/** A list that is read step by step, each step telling where the next begins. */
export type ExportSource<Row extends { id: string }, Place> = {
  /** How many rows there are at this moment. */
  count: () => Promise<number>;
  /** Where to begin in a list of so many rows. */
  first: (total: number) => Place;
  read: (place: Place) => Promise<{ rows: Row[]; next: Place | null }>;
};

type Collecting = KeepTrying & {
  /** Called after each step with the rows collected and those there were when it began. */
  onProgress: (done: number, total: number) => void;
};

/** A row that another's change moved past the reader is found by reading again, at most this often. */
const MOST_ROUNDS = 3;

/**
 * Reads a whole list into the parts of a CSV file, every row once, however many there are; rows are kept as text alone.
 * A step that fails by chance is tried again.
 * @throws BackendFailure when a step does not succeed; the signal's reason when it is aborted
 */
export async function collectCsv<Row extends { id: string }, Place>(
  source: ExportSource<Row, Place>,
  columns: ExportColumns<Row>,
  { onProgress, ...how }: Collecting,
): Promise<{ parts: string[]; rows: number }> {
  const parts = [CSV_BYTE_ORDER_MARK, headingLine(columns)];
  const seen = new Set<string>();
  const total = await keepTrying(source.count, how);
  onProgress(0, total);
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    let place: Place | null = source.first(Math.max(total, seen.size));
    while (place !== null) {
      const at: Place = place;
      const step = await keepTrying(() => source.read(at), how);
      const fresh = step.rows.filter(({ id }) => !seen.has(id));
      for (const { id } of fresh) seen.add(id);
      parts.push(fresh.map((row) => rowLine(columns, row)).join(""));
      onProgress(seen.size, Math.max(total, seen.size));
      place = step.next;
    }
    if (seen.size >= (await keepTrying(source.count, how))) break;
  }
  how.signal.throwIfAborted();
  return { parts, rows: seen.size };
}
