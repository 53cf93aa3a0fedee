import { DATA_OWNER_KEY, STORAGE_PREFIX, TAB_PREFIX } from "#app/lib/browser/env.ts";
import { createStoredItem, removeKeys, withStorage } from "#app/lib/browser/storage.ts";

/** The user whose data this browser stored until their session ended; none once they have signed out. */
export const FORMER_OWNER_KEY = `${STORAGE_PREFIX}kept-last-for`;

/** Session storage keys with this prefix are what staff have left in the back office; next in them is who. */
const OFFICE_PREFIX = `${TAB_PREFIX}office-`;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Session storage keys with this prefix are what this person has left in the back office, in this tab. */
export const officeTabPrefix = (userId: string) => `${OFFICE_PREFIX}${userId}-`;

/** Whether something that was left at this time, in milliseconds, is still there for its person: for a day. */
export const isStillKept = (at: number, now: number) => now - at < MAX_AGE_MS;

/** Deletes what anyone else has left in this tab. */
export function forgetOthersOffice(userId: string): void {
  removeKeys("tab", (key) => key.startsWith(OFFICE_PREFIX) && !key.startsWith(officeTabPrefix(userId)));
}

const placeOf = (userId: string) => createStoredItem("tab", `${officeTabPrefix(userId)}place`);

/** Remembers this page of the back office for whom the session has ended here. After signing out there is nobody. */
export function rememberOfficePlace(): void {
  const userId = withStorage(
    "local",
    (storage) => storage.getItem(DATA_OWNER_KEY) ?? storage.getItem(FORMER_OWNER_KEY),
  );
  const { pathname, search, hash } = window.location;
  if (userId) placeOf(userId).write({ path: pathname + search + hash, at: Date.now() });
}

/** Reads and clears the page of the back office on which this person's session ended; null if there is none. */
export function takeOfficePlace(userId: string): string | null {
  const { path, at } = (placeOf(userId).read() ?? {}) as { path?: unknown; at?: unknown };
  placeOf(userId).remove();
  const isOffice = typeof path === "string" && /^\/admin(?:[/?#]|$)/.test(path);
  return isOffice && isStillKept(Number(at), Date.now()) ? path : null;
}
