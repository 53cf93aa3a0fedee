import { getBackend } from "./backend.ts";
import { findRole } from "./role.queries.ts";
import { getSession } from "./session-store.ts";

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
