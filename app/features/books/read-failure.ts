/** What a customer is told when books could not be read: one of these, never the server's own words. */
export const READ_FAILURES = {
  unknown: "Failed to fetch books",
  unreachable: "The catalogue does not answer at the moment",
  tooSlow: "The search took too long",
} as const;

/** A read of the backend that failed; the message is fit to be shown. */
export class ReadFailure extends Error {
  override name = "ReadFailure";
}

type BackendError = { code?: string; message?: string };

/** PostgREST's answer to a statement that ran into its time limit. */
const QUERY_CANCELED = "57014";

/** Chooses the words for an error answered by the backend. `status` is 0 when there was no answer at all. */
export function readFailureFrom(error: BackendError, status: number): ReadFailure {
  if (error.code === QUERY_CANCELED) return new ReadFailure(READ_FAILURES.tooSlow);
  if (status === 0 || status >= 500) return new ReadFailure(READ_FAILURES.unreachable);
  return new ReadFailure(READ_FAILURES.unknown);
}
