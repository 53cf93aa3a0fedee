import { readRefusalFacts } from "#shared/calls/refusal-facts.ts";
import { BackendFailure } from "./failure.ts";

/** An error as the database's, the accounts' and the storage's client report it. */
type BackendError = { code?: string; message?: string; details?: string | null };
type BackendResponse<T> = { data: T; error: BackendError | null; status: number };
type AuthError = { name: string; message: string; code?: string; status?: number };

/** The code of refusals by the shop's own database functions; their message is meant for users. */
const OWN_REFUSAL = /^PT4\d\d$/;

/** The failure of a call of the database or the storage. `status` is 0 when there was no response. */
export function failureFrom(error: BackendError, status: number): BackendFailure {
  const isOwn = OWN_REFUSAL.test(error.code ?? "");
  const facts = isOwn ? readRefusalFacts(error.details) : {};
  const code = typeof facts.code === "string" ? facts.code : error.code;
  const refusal = (isOwn && error.message) || null;
  return new BackendFailure({ status, code, facts, refusal, cause: error });
}

/** The failure of a call that was given up, or whose code could not be downloaded. */
export function noResponse(): BackendFailure {
  return failureFrom({ code: "no_response" }, 0);
}

/**
 * The data of a response.
 * @throws BackendFailure
 */
export function unwrap<T>({ data, error, status }: BackendResponse<T>): NonNullable<T> {
  if (error) throw failureFrom(error, status);
  if (data === null || data === undefined) throw failureFrom({ code: "no_data" }, status);
  return data;
}

/**
 * Makes sure that a write affected at least one row: rows hidden by row-level security are not an error in PostgreSQL.
 * @throws BackendFailure with the code `no_row`
 */
export function unwrapWritten<Row>(response: BackendResponse<Row[] | null>): Row {
  const [row] = unwrap(response);
  if (row === undefined) throw failureFrom({ code: "no_row" }, response.status);
  return row;
}

/**
 * Makes sure that a database function that returns nothing has succeeded.
 * @throws BackendFailure
 */
export function unwrapDone({ error, status }: BackendResponse<unknown>): void {
  if (error) throw failureFrom(error, status);
}

/**
 * The failure of a call of the accounts. The provider's message is meant for users, unless it is only the browser's or
 * the library's about a missing response, or has no text at all.
 */
export function authFailure({ name, code, message, status = 0 }: AuthError): BackendFailure {
  if (status === 0 || name === "AuthRetryableFetchError") return noResponse();
  return new BackendFailure({ status, code, refusal: /[a-z]/i.test(message) ? message : null });
}

/**
 * Makes sure that a call of the accounts has succeeded.
 * @throws BackendFailure
 */
export function unwrapAuth({ error }: { error: AuthError | null }): void {
  if (error) throw authFailure(error);
}
