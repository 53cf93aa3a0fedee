import { isRouteErrorResponse } from "react-router";
import { isUnansweredStatus } from "./retry-rule.ts";

/** Retry delays on a device with a connection: the first requests after it comes back often fail too. */
export const LOST_AGAIN_MS = [500, 2_000];

/** Browsers' errors for a module that could not be fetched (Chromium and Firefox, Safari). */
const NO_MODULE = /dynamically imported module|importing a module/i;
/** Browsers' errors for a request without a response (Chromium, Firefox, Safari). */
const NO_RESPONSE = /failed to fetch|network ?error|load failed/i;

/**
 * What a lost connection kept from the page: its `code` (which some browsers do not fetch again without a reload), its
 * `data`, or null when the error has another cause.
 */
export function lostResource(error: unknown): "code" | "data" | null {
  if (isRouteErrorResponse(error)) return isUnansweredStatus(error.status) ? "data" : null;
  if (!(error instanceof Error)) return null;
  if (error.message.startsWith("Unable to decode turbo-stream")) return "data";
  if (!(error instanceof TypeError)) return null;
  if (NO_MODULE.test(error.message)) return "code";
  return NO_RESPONSE.test(error.message) ? "data" : null;
}
