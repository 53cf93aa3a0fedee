import { isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { staffMessage } from "#app/lib/backend/staff-message.ts";

/** What to do about a refused restore, by the refusal's code. */
const advice: Readonly<Record<string, string>> = {
  not_in_archive: "This deletion is no longer in the log. Reload the page.",
  not_last_deletion: "It was deleted again later. Restore that deletion instead.",
  not_last_change: "The order was changed again later. Undo that change instead.",
  order_not_open: "Only pending and processing orders can be changed.",
  already_restored: "It has already been restored, perhaps by another admin.",
  cannot_restore: "This review's book or customer has been deleted. Restore the book first.",
  admin_only: "You are no longer an admin.",
  "23503": "This order's customer has been deleted.",
};

/** Why a restore was refused and what to do; the server's own message if there is no better one, or null. */
export function restoreRefusal(error: unknown): string | null {
  if (!isBackendFailure(error)) return null;
  if (error.code === "insufficient_stock" && error.refusal !== null) {
    return `${error.refusal} Add stock first.`;
  }
  return advice[error.code] ?? staffMessage(error);
}
