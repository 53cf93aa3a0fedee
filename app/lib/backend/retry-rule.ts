import { isBackendFailure } from "./failure-message.ts";

/** No response, or the response of a proxy whose shop does not respond. */
const UNANSWERED = [0, 502, 503, 504];
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

export function isUnansweredStatus(status: number): boolean {
  return UNANSWERED.includes(status);
}

/** Whether the backend did not respond, so that a write may have happened or not. */
export function isUnanswered(error: unknown): boolean {
  return isBackendFailure(error) && isUnansweredStatus(error.status);
}

/** Whether the same call is worth a retry: the backend did not respond, was too busy, or failed. */
export function isTemporary(error: unknown): boolean {
  if (!isBackendFailure(error)) return false;
  const { status } = error;
  return isUnansweredStatus(status) || status === TOO_MANY_REQUESTS || status >= SERVER_ERROR;
}
