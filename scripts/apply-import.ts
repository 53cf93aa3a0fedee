import type { BackendClient } from "#app/lib/backend/client.ts";
import type { BookImportCounts } from "#app/office/catalogue/book-import/book-import.queries.ts";
import { applyInSteps, type StepOptions } from "#app/office/catalogue/book-import/book-import-steps.ts";
import type { CheckedPlan } from "./check-import.ts";
import { CommandError } from "./command.ts";
import { type Reporter, startPace } from "./import-report.ts";

type ApplyOptions = {
  /** What the check found; null if the import continues: it was checked before its first step. */
  plan: CheckedPlan | null;
  rowCount: number;
  /** Rows that earlier steps have applied. */
  appliedRows?: number;
  skipRefused: boolean;
  /** What to say if rows have problems and are not to be left out. */
  refusal: string;
  acceptsOdd: boolean;
  rowsPerStep: number | undefined;
  call: StepOptions["call"];
};

/**
 * Applies a staged import and reports its progress.
 * @throws CommandError in one line when rows with problems, or what looks wrong, were not accepted; nothing is changed then
 */
export async function applyChecked(
  client: BackendClient,
  importId: string,
  { plan, rowCount, appliedRows = 0, skipRefused, refusal, acceptsOdd, rowsPerStep, call }: ApplyOptions,
  report: Reporter,
): Promise<BookImportCounts> {
  if (plan && plan.refused > 0 && !skipRefused) throw new CommandError(refusal);
  if (plan?.mustLook && !acceptsOdd)
    throw new CommandError(
      "Nothing was imported. Look at what is marked “Look first”; if it is right, add --accept-odd.",
    );
  const pace = startPace(rowCount, appliedRows);
  report.progress("applying …");
  return applyInSteps(client, importId, {
    skipRefused,
    rowCount,
    rowsPerStep,
    call,
    onStep: (now) => report.progress(`applied: ${pace(now.applied_rows)}`),
  });
}
