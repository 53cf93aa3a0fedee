import { SESSION_KEY } from "#app/lib/env.ts";

const PROBE_KEY = `${SESSION_KEY}-probe`;

/** Whether local storage has a readable session. An unreadable one is removed; blocked storage has none. */
export function hasStoredSession(): boolean {
  try {
    const stored = window.localStorage.getItem(SESSION_KEY);
    if (stored === null) return false;
    if (readSession(stored)) return true;
    window.localStorage.removeItem(SESSION_KEY);
    return false;
  } catch {
    return false;
  }
}

/**
 * Whether local storage has a session of this user. Where storage cannot be written, the client keeps the session in
 * memory, and this returns true.
 */
export function isSessionStoredFor(userId: string): boolean {
  try {
    const stored = window.localStorage.getItem(SESSION_KEY);
    if (stored !== null) return readSession(stored)?.user.id === userId;
    window.localStorage.setItem(PROBE_KEY, "");
    window.localStorage.removeItem(PROBE_KEY);
    return false;
  } catch {
    return true;
  }
}

type StoredSession = { access_token: string; user: { id: string } };

function readSession(text: string): StoredSession | null {
  try {
    const { access_token, user }: Partial<StoredSession> = JSON.parse(text);
    return access_token && user?.id ? { access_token, user } : null;
  } catch {
    return null;
  }
}
