import type { SessionState } from "./session.ts";
import { getSession, subscribeSession } from "./session-store.ts";

/** Waits until the session is known, so that a press during the first moments is not lost. */
export function waitForSession(): Promise<Exclude<SessionState, { status: "unknown" }>> {
  return new Promise((resolve) => {
    const settle = () => {
      const session = getSession();
      if (session.status === "unknown") return false;
      resolve(session);
      return true;
    };
    if (settle()) return;
    const stop = subscribeSession(() => {
      if (settle()) stop();
    });
  });
}
