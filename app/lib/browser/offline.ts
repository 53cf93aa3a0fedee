/**
 * When the page that is shown was stored, because it came without a connection; null when it came from
 * the shop. The service worker writes it into the document.
 */
export function storedSince(): string | null {
  return document.documentElement.dataset.stored ?? null;
}

/** Whether the shop is known to be unreachable, so that waiting for a response is pointless. */
export function isOffline(): boolean {
  return !navigator.onLine || storedSince() !== null;
}

/**
 * For changes: the backend client would first try for half a minute to get a new token.
 * @throws TypeError when the device knows that it has no connection
 */
export function requireConnection(): void {
  if (!navigator.onLine) throw new TypeError("Failed to fetch");
}
