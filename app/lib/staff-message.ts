import { customerMessage, isBackendFailure } from "./failure-message.ts";

/** The message for staff about a failed call, or null when there is nothing more specific than that it failed. */
export function staffMessage(error: unknown): string | null {
  if (isBackendFailure(error) && !error.refusal) {
    // The database refuses a number that is too large for its column before any of our checks run.
    if (error.code === "22003") return "A number is too large to be saved.";
    if (error.status === 413) return "This is too large to be saved.";
  }
  return customerMessage(error);
}
