import { CACHES } from "#app/features/offline/stored.ts";
import {
  DATA_OWNER_KEY,
  FORGET_EVENT,
  SAVED_PREFIX,
  SESSION_KEY,
  STORAGE_PREFIX,
  TAB_PREFIX,
} from "#app/lib/browser/env.ts";
import { createStoredItem, removeKeys, withStorage } from "#app/lib/browser/storage.ts";

/** The user whose data this browser stored until their session ended; none once they have signed out. */
const FORMER_OWNER_KEY = `${STORAGE_PREFIX}kept-last-for`;
const CHANNEL = "adwene-sign-out";

/** On signing out: nothing that the user read or typed stays in this browser, in any tab. */
export function forgetPersonal(): void {
  forgetTab();
  forgetBrowser();
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage("signed out");
  channel.close();
}

/** Clears this tab when the user signs out in another one. */
export function followForgetting(): void {
  new BroadcastChannel(CHANNEL).addEventListener("message", forgetTab);
}

/**
 * Called whenever it is known who is signed in. What is stored for someone else is deleted. When a session expires,
 * what was read is deleted, and what was typed stays for the same user.
 */
export function deleteOthersData(userId: string | null): void {
  if (userId) forgetOthersOffice(userId);
  withStorage("local", (storage) => {
    const owner = storage.getItem(DATA_OWNER_KEY);
    if (userId === owner) return;
    if (userId) {
      if ((owner ?? storage.getItem(FORMER_OWNER_KEY) ?? userId) !== userId) forgetBrowser();
      storage.setItem(DATA_OWNER_KEY, userId);
    } else if (owner) {
      removeKeys("local", (key) => key.startsWith(SAVED_PREFIX) || key === DATA_OWNER_KEY);
      storage.setItem(FORMER_OWNER_KEY, owner);
      void deletePages();
    }
  });
}

/** What this tab stores, such as an address typed at checkout, and what is open in it. */
function forgetTab(): void {
  removeKeys("tab", (key) => key.startsWith(TAB_PREFIX));
  window.dispatchEvent(new Event(FORGET_EVENT));
}

function forgetBrowser(): void {
  removeKeys("local", (key) => key.startsWith(STORAGE_PREFIX) && !key.startsWith(SESSION_KEY));
  void deletePages();
}

/** Stored pages are the same for everybody, but show what was read here. */
async function deletePages(): Promise<void> {
  for (const name of [CACHES.pages, CACHES.pictures]) await window.caches?.delete(name);
}

/** Session storage keys with this prefix are what staff have left in the back office; next in them is who. */
const OFFICE_PREFIX = `${TAB_PREFIX}office-`;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Session storage keys with this prefix are what this person has left in the back office, in this tab. */
export const officeTabPrefix = (userId: string) => `${OFFICE_PREFIX}${userId}-`;

/** Whether something that was left at this time, in milliseconds, is still there for its person: for a day. */
export const isStillKept = (at: number, now: number) => now - at < MAX_AGE_MS;

/** Deletes what anyone else has left in this tab. */
function forgetOthersOffice(userId: string): void {
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
