import { withStorage } from "#app/lib/browser/storage.ts";
import { createStore, useStore } from "#app/lib/react/create-store.ts";
import { useHydrated } from "#app/lib/react/use-hydrated.ts";

/** Session storage key: the id of the user who followed a password email's link in this tab. */
const RECOVERY_KEY = "adwene-recovery";

/** For browsers that block storage. */
const inMemory = createStore<string | null>(null);

/** Remembers, across reloads, that this tab was opened from a password email, until the password is set. */
export function startRecovery(userId: string): void {
  withStorage("tab", (storage) => storage.setItem(RECOVERY_KEY, userId));
  inMemory.set(userId);
}

export function endRecovery(): void {
  withStorage("tab", (storage) => storage.removeItem(RECOVERY_KEY));
  inMemory.set(null);
}

/** The id of the user who came to this tab from a password email, until the password is set. */
export function useRecovery(): string | null {
  const userId = useStore(inMemory);
  const stored = useHydrated() ? withStorage("tab", (storage) => storage.getItem(RECOVERY_KEY)) : null;
  return userId ?? stored;
}
