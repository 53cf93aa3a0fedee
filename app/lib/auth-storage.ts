import { SAVED_PREFIX } from "./env.ts";

/** Values that don't fit into local storage, stored until the page is closed. */
const inMemory = new Map<string, string>();

function write(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Copies of lists for use offline, which are read again when they are needed. */
function removeSavedCopies(): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(SAVED_PREFIX)) localStorage.removeItem(key);
  } catch {
    // Storage is blocked.
  }
}

/**
 * Stores the session in local storage. A browser gives a site a few megabytes; when they are full, saved copies are deleted,
 * so that they never sign anyone out or keep them from signing in.
 */
export const authStorage = {
  getItem(key: string): string | null {
    try {
      return inMemory.get(key) ?? localStorage.getItem(key);
    } catch {
      return null;
    }
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
    try {
      localStorage.removeItem(key);
    } catch {
      // Storage is blocked, so there is nothing to remove.
    }
  },
};
