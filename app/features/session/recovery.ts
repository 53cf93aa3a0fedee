import { useSyncExternalStore } from "react";

/** Session storage entry: the id of the person who followed the link of a password mail in this tab. */
const RECOVERY_KEY = "adwene-recovery";

let inMemory: string | null = null;
const listeners = new Set<() => void>();

/** Remembers until the password is set, also over a reload, that this tab was opened by a password mail. */
export function startRecovery(userId: string): void {
  inMemory = userId;
  inStorage((storage) => storage.setItem(RECOVERY_KEY, userId));
  for (const listener of listeners) listener();
}

export function endRecovery(): void {
  inMemory = null;
  inStorage((storage) => storage.removeItem(RECOVERY_KEY));
  for (const listener of listeners) listener();
}

/** The id of the person whom the link of a password mail brought to this tab, until the password is set. */
export function useRecovery(): string | null {
  return useSyncExternalStore(subscribe, currentRecovery, () => null);
}

function currentRecovery(): string | null {
  return inMemory ?? inStorage((storage) => storage.getItem(RECOVERY_KEY));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Browsers that block storage throw on touching it; then memory alone has to do. */
function inStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(window.sessionStorage);
  } catch {
    return null;
  }
}
