import { data } from "react-router";
import { isBackendFailure, logFailure } from "#app/lib/backend/failure-message.ts";
import { LOST_AGAIN_MS, lostResource } from "#app/lib/backend/lost-connection.ts";
import { retry } from "#app/lib/backend/retry.ts";
import { booksFailureMessage, CATALOGUE_UNREACHABLE } from "./books-failure.ts";

const READING_FAILED = "Failed to read books";

/**
 * A loader's response when its reads may fail: the data, or the message for the failure with status 503, with 429 when
 * the visitor has sent too many requests. Other errors are bugs and go to the error page.
 */
export async function loadOrFailure<T>(read: () => Promise<T>) {
  try {
    return data({ loaded: await read(), failure: null });
  } catch (error) {
    if (!isBackendFailure(error)) throw error;
    const { refusal, facts } = error;
    if (refusal && typeof facts.retry_after_seconds === "number") {
      const headers = { "Retry-After": String(facts.retry_after_seconds) };
      return data({ loaded: null, failure: refusal }, { status: 429, headers });
    }
    logFailure(READING_FAILED, error);
    const failure = booksFailureMessage(error);
    return data({ loaded: null, failure }, { status: 503, headers: { "Retry-After": "5" } });
  }
}

type ClientLoaderArgs<T> = {
  request: Request;
  serverLoader: () => Promise<T>;
  pause?: (milliseconds: number) => Promise<void>;
};

/**
 * A page's `clientLoader`: a lost response is a failure like any other, and the page stays. One click on Try Again is
 * enough even if the first requests after the connection comes back still fail.
 */
export async function loadedOrLost<T>({ request, serverLoader, pause }: ClientLoaderArgs<T>) {
  const { signal } = request;
  const delayAfter = (error: unknown, failures: number) =>
    lostResource(error) && navigator.onLine && !signal.aborted ? LOST_AGAIN_MS[failures] : undefined;
  try {
    return await retry(serverLoader, { delayAfter, pause, signal });
  } catch (error) {
    // The customer has opened another page since, which ends this request.
    if (signal.aborted || !lostResource(error)) throw error;
    logFailure(READING_FAILED, error);
    return { loaded: null, failure: CATALOGUE_UNREACHABLE };
  }
}
