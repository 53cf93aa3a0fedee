import { useEffect, useState } from "react";
import { findRole } from "#app/features/session/role.queries.ts";
import { getBackend, useSession } from "#app/features/session/session-store.ts";
import { logFailure } from "#app/lib/backend-failure.ts";

/** `unknown` until both the session and the role of its owner are known. */
export type AdminAccess = "unknown" | "signed-out" | "refused" | "granted";

const recheckListeners = new Set<() => void>();

/** Asks for the role again: called when an action failed, because its owner may have lost his right meanwhile. */
export function recheckAdminAccess(): void {
  for (const recheck of recheckListeners) recheck();
}

/**
 * Whether who looks may see the back office. A role check that fails counts as a no; one repeated later ends the
 * access only when the answer is no, because a lost connection must not throw away what is being typed.
 */
export function useAdminAccess(): AdminAccess {
  const session = useSession();
  const userId = session.status === "signed-in" ? session.user.id : null;
  const [decided, setDecided] = useState<{ userId: string; admin: boolean } | null>(null);

  useEffect(() => {
    if (userId === null) return;
    let current = true;
    const ask = async () => (await findRole(await getBackend(), userId)) === "admin";
    const decide = (admin: boolean) => current && setDecided({ userId, admin });
    const recheck = () =>
      void ask().then(decide, (error) => logFailure("Asking for the role again failed", error));

    ask().then(decide, (error) => {
      logFailure("Asking for the role failed", error);
      decide(false);
    });
    recheckListeners.add(recheck);
    return () => {
      current = false;
      recheckListeners.delete(recheck);
    };
  }, [userId]);

  if (session.status !== "signed-in") return session.status;
  if (decided?.userId !== userId) return "unknown";
  return decided?.admin ? "granted" : "refused";
}
