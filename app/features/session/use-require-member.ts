import { useEffect } from "react";
import { useNavigate } from "react-router";
import type { SessionUser } from "./session.ts";
import { useSession } from "./session-store.ts";

/**
 * Guards a page for members: null while nobody is known to be signed in, and then a page shows its skeleton.
 * Once it is certain that nobody is, the way leads to /auth; the browser's back button does not return.
 */
export function useRequireMember(): SessionUser | null {
  const session = useSession();
  const navigate = useNavigate();
  const signedOut = session.status === "signed-out";
  useEffect(() => {
    if (signedOut) void navigate("/auth", { replace: true });
  }, [signedOut, navigate]);
  return session.status === "signed-in" ? session.user : null;
}
