import { STORAGE_PREFIX } from "#app/lib/env.ts";
import { isOwnPath } from "#app/lib/own-path.ts";

/**
 * The page that a visitor left to create an account: the emailed link opens in another tab, which then links back to
 * it. Only this browser writes it, so that no one can make a link that sends a customer elsewhere.
 */
const KEY = `${STORAGE_PREFIX}place`;
/** People may read an email hours after it arrives. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export function keepPlace(path: string): void {
  try {
    window.localStorage.setItem(KEY, JSON.stringify({ path, at: Date.now() }));
  } catch {
    // Without storage the way back is the page's own address.
  }
}

/** Reads and removes it; null when there is none, or it is too old. */
export function takePlace(): string | null {
  try {
    const { path, at } = JSON.parse(window.localStorage.getItem(KEY) ?? "{}");
    window.localStorage.removeItem(KEY);
    return typeof path === "string" && isOwnPath(path) && Date.now() - at < KEPT_MS ? path : null;
  } catch {
    return null;
  }
}
