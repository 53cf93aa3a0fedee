import { isOwnPath } from "#app/lib/pages/own-path.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { forgetReturn, type Intent, readReturn } from "./sign-in-return.ts";

/** Where a visitor was. `entry` is the page's index in the history; without one its path is opened. */
export type ReturnPlace = { path: string; top: number; entry: number | null; intent: Intent | null };

/** After this time a visitor who signs in wants something else. */
const MAX_AGE_MS = 60 * 60 * 1000;

/** Reads and clears the remembered page. */
export function takeReturn(): ReturnPlace | null {
  const stored = readReturn();
  forgetReturn();
  if (!stored || Date.now() - stored.at > MAX_AGE_MS || !isOwnPath(stored.path)) return null;
  return {
    path: stored.path,
    top: stored.top,
    entry: stored.document === performance.timeOrigin ? stored.entry : null,
    intent: readIntent(stored.intent),
  };
}

function readIntent(text: string): Intent | null {
  const [, list, bookId = ""] = /^(cart|wishlist|stock-alerts):(.*)$/.exec(text) ?? [];
  return isUuid(bookId) ? ({ list, bookId } as Intent) : null;
}
