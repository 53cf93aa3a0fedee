import { data } from "react-router";
import { ReadFailure } from "./read-failure.ts";

/**
 * A loader's answer when its reads may fail: what was read, or the words for the failure with status 503.
 * Other errors are bugs and go to the error page.
 */
export async function loadOrFailure<T>(read: () => Promise<T>) {
  try {
    return data({ loaded: await read(), failure: null });
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    console.error("Reading books failed:", error.message);
    return data({ loaded: null, failure: error.message }, { status: 503, headers: { "Retry-After": "5" } });
  }
}
