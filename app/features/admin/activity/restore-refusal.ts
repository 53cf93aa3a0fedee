import { BackendFailure } from "#app/lib/backend-failure.ts";

/** What to do about each reason that keeps something from coming back, by the refusal's code. */
const advice: Readonly<Record<string, string>> = {
  not_in_archive: "The log has no such deletion any more. Load the page again.",
  not_last_deletion: "It was deleted again later. Restore the latest deletion instead.",
  already_restored: "It is back already; somebody else may have restored it.",
  cannot_restore: "The book or the customer of this review is gone. Restore the book first.",
  admin_only: "You are no longer an admin.",
  "23503": "The customer of this order is gone.",
};

/** Why a restoring was refused and what to do, or null when the server's own words say it. */
export function restoreRefusal(error: unknown): string | null {
  if (!(error instanceof BackendFailure)) return null;
  if (error.code === "insufficient_stock" && error.sentence !== null) {
    return `${error.sentence} Put copies into the stock first.`;
  }
  return advice[error.code] ?? error.sentence;
}
