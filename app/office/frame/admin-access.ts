import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { rememberOfficePlace } from "#app/features/session/office-tab.ts";
import { useSession } from "#app/features/session/session.ts";
import { findStaff, type Staff } from "#app/features/session/staff.queries.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { createStore, useStore } from "#app/lib/react/create-store.ts";
import { useRead } from "#app/lib/react/use-read.ts";

/**
 * Someone with duties, or why they are not known: `unknown` until both the session and the duties are, `code` or `factor` while they have
 * to take or to set up their second step.
 */
type AdminAccess = Staff | "unknown" | "signed-out" | "refused" | "code" | "factor";

/** The redirect for people without access; null while unknown. */
export const accessRedirects = {
  unknown: null,
  "signed-out": "/auth",
  code: "/auth",
  factor: "/account",
  refused: "/",
} as const;

/** Increases with each check. */
const rechecks = createStore(0);

/** Checks the duties again: called after a failed action, because an admin may have taken one away. */
export function recheckAdminAccess(): void {
  rechecks.set(rechecks.get() + 1);
}

/**
 * What the current user may do in the back office, checked again on each of its pages. A failed first check refuses
 * access; a later check changes it only when the duties have changed, because a lost connection must not discard what
 * is being typed.
 */
export function useAdminAccess(): AdminAccess {
  const session = useSession();
  const { pathname } = useLocation();
  const count = useStore(rechecks);
  const userId = session.status === "signed-in" ? session.user.id : null;
  const [decided, setDecided] = useState<{ userId: string; staff: Staff | null } | null>(null);

  useRead(
    userId && `${userId} ${pathname} ${count}`,
    async () => findStaff(await getBackend(), userId ?? ""),
    {
      onResult(staff) {
        if (!userId) return;
        if (!staff && decided?.userId === userId && decided.staff)
          showToast("error", "You can no longer open the back office", {
            description: "An admin has taken your duties away.",
          });
        setDecided({ userId, staff });
      },
      onFailure(error) {
        const isFirst = decided?.userId !== userId;
        logFailure(isFirst ? "Failed to check the duties" : "Failed to check the duties again", error);
        if (userId && isFirst) setDecided({ userId, staff: null });
      },
    },
  );

  const isSignedOut = session.status === "signed-out";
  // Before the redirect that follows from it.
  useEffect(() => {
    if (isSignedOut) rememberOfficePlace();
  }, [isSignedOut]);

  if (session.status !== "signed-in") return session.status;
  if (decided?.userId !== userId) return "unknown";
  return decided?.staff?.missing ?? decided?.staff ?? "refused";
}
