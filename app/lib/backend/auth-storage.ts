import { SAVED_PREFIX } from "#app/lib/browser/env.ts";
import { removeKeys, withStorage } from "#app/lib/browser/storage.ts";

/** Values that don't fit into local storage, stored until the page is closed. */
const inMemory = new Map<string, string>();

function write(key: string, value: string): boolean {
  const isStored = withStorage("local", (storage) => {
    storage.setItem(key, value);
    return true;
  });
  return isStored ?? false;
}

/** Copies of lists for use offline, which are read again when they are needed. */
const removeSavedCopies = () => removeKeys("local", (key) => key.startsWith(SAVED_PREFIX));

/**
 * Stores the session in local storage. A browser gives a site a few megabytes; when they are full, saved copies are deleted,
 * so that they never sign anyone out or keep them from signing in.
 */
export const authStorage = {
  getItem(key: string): string | null {
    return inMemory.get(key) ?? withStorage("local", (storage) => storage.getItem(key));
  },
  setItem(key: string, value: string): void {
    let isStored = write(key, value);
    if (!isStored) {
      removeSavedCopies();
      isStored = write(key, value);
    }
    if (isStored) inMemory.delete(key);
    else inMemory.set(key, value);
  },
  removeItem(key: string): void {
    inMemory.delete(key);
    withStorage("local", (storage) => storage.removeItem(key));
  },
};
