import { useState } from "react";
import { useLocation } from "react-router";
import { getBackend } from "#app/features/session/backend.ts";
import { findRole } from "#app/features/session/role.queries.ts";
import { useSession } from "#app/features/session/session.ts";
import { createStore, useStore } from "#app/lib/create-store.ts";
import { logFailure } from "#app/lib/failure-message.ts";
import { useRead } from "#app/lib/use-read.ts";

/** `unknown` until both the session and the user's role are known. */
type AdminAccess = "unknown" | "signed-out" | "refused" | "granted";

/** How often the role had to be checked again. */
const rechecks = createStore(0);

/** Checks the role again: called after a failed action, because the user may no longer be an admin. */
export function recheckAdminAccess(): void {
  rechecks.set(rechecks.get() + 1);
}

/**
 * Whether the current user may see the back office, checked again on each of its pages. A failed first check refuses
 * access; a later check ends the access only when the role has changed, because a lost connection must not discard what
 * is being typed.
 */
export function useAdminAccess(): AdminAccess {
  const session = useSession();
  const { pathname } = useLocation();
  const count = useStore(rechecks);
  const userId = session.status === "signed-in" ? session.user.id : null;
  const [decided, setDecided] = useState<{ userId: string; admin: boolean } | null>(null);

  useRead(
    userId && `${userId} ${pathname} ${count}`,
    async () => findRole(await getBackend(), userId ?? ""),
    {
      onResult: (role) => userId && setDecided({ userId, admin: role === "admin" }),
      onFailure(error) {
        const isFirst = decided?.userId !== userId;
        logFailure(isFirst ? "Failed to check the role" : "Failed to check the role again", error);
        if (userId && isFirst) setDecided({ userId, admin: false });
      },
    },
  );

  if (session.status !== "signed-in") return session.status;
  if (decided?.userId !== userId) return "unknown";
  return decided?.admin ? "granted" : "refused";
}
