import type { BackendFailure } from "./failure.ts";

/** By name rather than `instanceof`, so that visitors' pages need not download the class. */
export function isBackendFailure(error: unknown): error is BackendFailure {
  return error instanceof Error && error.name === "BackendFailure";
}

const hasNoConnection = () => typeof navigator !== "undefined" && navigator.onLine === false;

/** For a request without a response. It mentions the connection only when the device knows that it is offline. */
export function unreachableMessage(): string {
  return `We can't reach the shop right now. ${hasNoConnection() ? "Check your connection and try again." : "Please try again in a moment."}`;
}

/**
 * The message for a customer about a thrown error, or null when there is nothing more specific than that it failed.
 */
export function customerMessage(error: unknown): string | null {
  if (isBackendFailure(error)) return error.customerMessage;
  // For example code that couldn't be fetched: only the device knows whether it has a connection.
  return hasNoConnection() ? unreachableMessage() : null;
}

/** One console line that says what failed, without any data of the request or response. */
export function logFailure(what: string, error: unknown): void {
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : "unknown cause";
  console.error(`${what} (${cause})`);
}
