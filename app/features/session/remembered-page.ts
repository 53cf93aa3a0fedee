import { STORAGE_PREFIX } from "#app/lib/browser/env.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import { isOwnPath } from "#app/lib/pages/own-path.ts";

/**
 * The page that a visitor left to create an account: the emailed link opens in another tab, which then links back to
 * it. Only this browser writes it, so that no one can make a link that sends a customer elsewhere.
 */
const item = createStoredItem("local", `${STORAGE_PREFIX}place`);
/** People may read an email hours after it arrives. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

export function rememberPage(path: string): void {
  item.write({ path, at: Date.now() });
}

/** Reads and removes it; null when there is none, or it is too old. */
export function takeRememberedPage(): string | null {
  const { path, at } = (item.read() ?? {}) as { path?: unknown; at?: unknown };
  item.remove();
  return typeof path === "string" && isOwnPath(path) && Date.now() - Number(at) < MAX_AGE_MS ? path : null;
}
