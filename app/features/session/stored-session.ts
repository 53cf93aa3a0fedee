import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { withStorage } from "#app/lib/browser/storage.ts";
import type { SessionUser } from "./session.ts";

const PROBE_KEY = `${SESSION_KEY}-probe`;
/** More than the size of a session. */
const PROBE_LENGTH = 9_000;

/** The user of the session in local storage. An unreadable one is removed; blocked storage has none. */
export function storedUser(): SessionUser | null {
  return withStorage("local", (storage) => {
    const stored = storage.getItem(SESSION_KEY);
    if (stored === null) return null;
    const session = readSession(stored);
    if (session) return { id: session.user.id, email: session.user.email ?? "" };
    storage.removeItem(SESSION_KEY);
    return null;
  });
}

/**
 * Whether local storage has a session of this user. Where storage is blocked or full, the client keeps the session in
 * memory, and this returns true.
 */
export function isSessionStoredFor(userId: string): boolean {
  const isStored = withStorage("local", (storage) => {
    const stored = storage.getItem(SESSION_KEY);
    if (stored !== null) return readSession(stored)?.user.id === userId;
    storage.setItem(PROBE_KEY, "x".repeat(PROBE_LENGTH));
    storage.removeItem(PROBE_KEY);
    return false;
  });
  return isStored ?? true;
}

type StoredSession = { access_token: string; user: { id: string; email?: string } };

function readSession(text: string): StoredSession | null {
  try {
    const { access_token, user }: Partial<StoredSession> = JSON.parse(text);
    return access_token && user?.id ? { access_token, user } : null;
  } catch {
    return null;
  }
}
