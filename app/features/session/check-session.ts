import { getBackend } from "./backend.ts";
import { findRole } from "./role.queries.ts";
import { getSession, type SessionUser } from "./session.ts";

/**
 * The signed-in user according to the stored session, which may have ended since this page read it. If it has, the page
 * is signed out too. Without a connection the page's own state counts.
 */
export async function confirmSession(): Promise<SessionUser | null> {
  const remembered = getSession();
  if (remembered.status !== "signed-in") return null;
  const { auth } = await getBackend();
  const { data, error } = await auth.getSession();
  if (!data.session && !error) await auth.signOut({ scope: "local" });
  const session = getSession();
  return session.status === "signed-in" ? session.user : null;
}

/** Whether this browser's stored session still needs the second step. */
export async function isCodeMissing(): Promise<boolean> {
  const { auth } = await getBackend();
  const { data } = await auth.mfa.getAuthenticatorAssuranceLevel();
  return data !== null && data.currentLevel !== data.nextLevel;
}

/**
 * Whether the server still accepts this browser's session. Using a refused session ends it, and the page says so.
 * Without a response the browser's own state counts.
 */
export async function serverAcceptsSession(): Promise<boolean> {
  const session = getSession();
  if (session.status !== "signed-in") return false;
  try {
    await findRole(await getBackend(), session.user.id);
  } catch {
    // If it was refused, the session has ended by now.
  }
  return getSession().status === "signed-in";
}
