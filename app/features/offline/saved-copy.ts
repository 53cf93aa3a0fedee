import { isUnanswered } from "#app/lib/backend/retry-rule.ts";
import { DATA_OWNER_KEY, SAVED_PREFIX } from "#app/lib/browser/env.ts";
import { isOffline } from "#app/lib/browser/offline.ts";
import { releaseName } from "#app/lib/browser/release.ts";
import { createStoredItem, withStorage } from "#app/lib/browser/storage.ts";
import { createStore } from "#app/lib/react/create-store.ts";

/** A customer's own data as it was last read, for use offline. Signing out removes it. */
type SavedCopy<T> = { userId: string; release: string; at: string; value: T };

/** Larger lists are not worth the limited space that a browser gives a site. */
const MAX_CHARACTERS = 300_000;
/** For kinds with many entries, such as orders, only the most recently read ones are saved. */
const MAX_OF_A_KIND = 20;

/** Which lists are shown as they were saved, and when that was. */
export const shownCopies = createStore<Readonly<Record<string, string>>>({});

/**
 * Reads a list of this user and saves a copy. When the shop is out of reach the copy is the result.
 * @param name of the list; 'order:1' if there are many of a kind, of which only the last are saved
 * @throws what `read` throws, when there is no copy or the shop has responded
 */
export async function readOrSaved<T>(name: string, userId: string, read: () => Promise<T>): Promise<T> {
  // A list that is already shown from its copy is read again: the connection may be back.
  const isFirst = !(name in shownCopies.get());
  const early = isOffline() && (isFirst || !navigator.onLine) ? findCopy<T>(name, userId) : null;
  if (early) return show(name, early);
  try {
    const value = await read();
    save(name, userId, value);
    const { [name]: _, ...others } = shownCopies.get();
    shownCopies.set(others);
    return value;
  } catch (error) {
    // A TypeError: the code that reads could not be fetched.
    const copy = isUnanswered(error) || error instanceof TypeError ? findCopy<T>(name, userId) : null;
    if (!copy) throw error;
    return show(name, copy);
  }
}

/** This user's copy of a list. A copy from another release may have another format, and is ignored. */
export function findCopy<T>(name: string, userId: string): SavedCopy<T> | null {
  const copy = createStoredItem("local", SAVED_PREFIX + name).read() as SavedCopy<T> | null;
  return copy?.userId === userId && copy.release === releaseName() ? copy : null;
}

function show<T>(name: string, { at, value }: SavedCopy<T>): T {
  shownCopies.set({ ...shownCopies.get(), [name]: at });
  return value;
}

function save<T>(name: string, userId: string, value: T): void {
  const copy: SavedCopy<T> = { userId, release: releaseName(), at: new Date().toISOString(), value };
  withStorage("local", (storage) => {
    // They may have signed out while this was on its way.
    if (storage.getItem(DATA_OWNER_KEY) !== userId) return;
    const text = JSON.stringify(copy);
    if (text.length <= MAX_CHARACTERS) storage.setItem(SAVED_PREFIX + name, text);
    else storage.removeItem(SAVED_PREFIX + name);
    if (name.includes(":")) dropOldest(storage, SAVED_PREFIX + name.slice(0, name.indexOf(":") + 1));
  });
}

function dropOldest(storage: Storage, prefix: string): void {
  const keys = Object.keys(storage).filter((key) => key.startsWith(prefix));
  if (keys.length <= MAX_OF_A_KIND) return;
  const savedAt = (key: string): string => JSON.parse(storage.getItem(key) ?? "null")?.at ?? "";
  const byAge = keys.toSorted((one, other) => savedAt(one).localeCompare(savedAt(other)));
  for (const key of byAge.slice(0, -MAX_OF_A_KIND)) storage.removeItem(key);
}
