import type { BackendClient } from "#app/lib/backend/client.ts";
import {
  applyBookImport,
  type BookImport,
  MAX_ROWS_AT_ONCE,
  ROWS_PER_STEP,
  readBookImport,
  undoBookImport,
} from "./book-import.queries.ts";

/*
 * How imports are applied and undone: those of ordinary size in one transaction, larger ones and those that were interrupted
 * in steps. Each step commits its progress with its rows, so a call whose response was lost may be repeated.
 */

export type StepOptions = {
  /** How many rows a step has; without it, as many as suit the import's size. */
  rowsPerStep?: number;
  /** Makes one call, and may repeat it. */
  call: <Result>(step: () => Promise<Result>) => Promise<Result>;
  /** Called after each step. */
  onStep: (now: BookImport) => void;
};

/**
 * Applies what is left of an import.
 * @param rowCount of the import, as far as it is known
 * @throws BackendFailure, also in the middle of a large import: the same call continues it
 */
export async function applyInSteps(
  client: BackendClient,
  importId: string,
  {
    skipRefused,
    rowCount,
    rowsPerStep = fitting(rowCount),
    ...steps
  }: StepOptions & { skipRefused: boolean; rowCount: number },
): Promise<BookImport> {
  const apply = () => applyBookImport(client, importId, { skipRefused, rows: rowsPerStep });
  return runSteps(client, importId, "applied", apply, steps);
}

/** Takes back the last import, or what was applied of it. */
export async function undoInSteps(
  client: BackendClient,
  { id, total_rows }: BookImport,
  { rowsPerStep = fitting(total_rows), ...steps }: StepOptions,
): Promise<BookImport> {
  return runSteps(client, id, "undone", () => undoBookImport(client, id, rowsPerStep), steps);
}

const fitting = (rowCount: number) => (rowCount > MAX_ROWS_AT_ONCE ? ROWS_PER_STEP : undefined);

async function runSteps(
  client: BackendClient,
  importId: string,
  end: "applied" | "undone",
  step: () => Promise<BookImport>,
  { call, onStep }: Omit<StepOptions, "rowsPerStep">,
): Promise<BookImport> {
  for (;;) {
    const now = await call(step).catch(async (error: unknown) => {
      // The last step's response may have been lost.
      const known = await readBookImport(client, importId).catch(() => null);
      if (known?.status === end) return known;
      throw error;
    });
    if (now.status === end) return now;
    onStep(now);
  }
}
