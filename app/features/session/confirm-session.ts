import { getBackend } from "./backend.ts";
import type { SessionUser } from "./session.ts";
import { getSession } from "./session-store.ts";

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
