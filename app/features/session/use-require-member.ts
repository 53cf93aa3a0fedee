import { useRedirect } from "#app/lib/react/use-redirect.ts";
import { type SessionUser, useSession } from "./session.ts";

/**
 * Guards a page for members: null while the session is unknown, and the page shows its skeleton. A signed-out visitor is
 * redirected to /auth, replacing the history entry.
 */
export function useRequireMember(): SessionUser | null {
  const session = useSession();
  useRedirect(session.status === "signed-out" ? "/auth" : null);
  return session.status === "signed-in" ? session.user : null;
}
