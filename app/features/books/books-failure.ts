import type { BackendFailure } from "#app/lib/backend/failure.ts";
import { isTemporary } from "#app/lib/backend/retry-rule.ts";

export const CATALOGUE_UNREACHABLE = "We can't reach the catalogue right now";

/** PostgreSQL's query_canceled: the statement took longer than its timeout. */
const QUERY_CANCELED = "57014";

/** What a customer sees when books could not be read: one of these, never the server's own message. */
export function booksFailureMessage(failure: BackendFailure): string {
  if (failure.code === QUERY_CANCELED) return "The search took too long";
  return isTemporary(failure) ? CATALOGUE_UNREACHABLE : "Failed to fetch books";
}

/** Shown in place of books; `reason` is why they could not be read. */
export function failedToLoadBooks(reason: string): string {
  return `Failed to load books: ${reason}`;
}
