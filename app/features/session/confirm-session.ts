import type { SessionUser } from "./session.ts";
import { getBackend, getSession } from "./session-store.ts";

/**
 * Whoever is signed in, asked of the stored session itself and not of what this page remembers: it may have ended.
 * When it has, the page is told so. Without a connection what the page remembers stands.
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
