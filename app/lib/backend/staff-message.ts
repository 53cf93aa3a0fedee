import { customerMessage, isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { isUnanswered } from "#app/lib/backend/retry-rule.ts";

/**
 * The server's message about a failed call: that of `staffMessage`, or else the database's own. It names
 * constraints and columns, but no values of other rows. Null without a response.
 */
export function serverMessage(error: unknown): string | null {
  const message = staffMessage(error);
  if (message !== null || !isBackendFailure(error) || isUnanswered(error)) return message;
  const { message: own } = (error.cause ?? {}) as { message?: unknown };
  return typeof own === "string" && own.trim() ? own.trim() : null;
}

/** The message for staff about a failed call, or null when there is nothing more specific than that it failed. */
export function staffMessage(error: unknown): string | null {
  if (isBackendFailure(error) && !error.refusal) {
    // The database refuses a number that is too large for its column before any of our checks run.
    if (error.code === "22003") return "A number is too large to be saved.";
    if (error.status === 413) return "This is too large to be saved.";
  }
  return customerMessage(error);
}
