import { STORAGE_PREFIX } from "#app/lib/env.ts";

/**
 * The page whose choices a visitor leaves to make an account: the emailed link opens in another tab, which shows the way back. Only
 * this browser writes it, so that no link can name a page.
 */
const KEY = `${STORAGE_PREFIX}place`;
/** Emails are read later than tabs are switched. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export function keepPlace(path: string): void {
  try {
    window.localStorage.setItem(KEY, JSON.stringify({ path, at: Date.now() }));
  } catch {
    // Without storage the way back is the page's own address.
  }
}

/** Reads and forgets it; null when there is none, or it is too old. */
export function takePlace(): string | null {
  try {
    const { path, at } = JSON.parse(window.localStorage.getItem(KEY) ?? "{}");
    window.localStorage.removeItem(KEY);
    return typeof path === "string" && /^\/(?![/\\])/.test(path) && Date.now() - at < KEPT_MS ? path : null;
  } catch {
    return null;
  }
}
