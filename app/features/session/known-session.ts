import type { SessionState } from "./session.ts";
import { getSession, subscribeSession } from "./session-store.ts";

/** The session once it is known who is here; a press during the first moments waits for it and is not lost. */
export function knownSession(): Promise<Exclude<SessionState, { status: "unknown" }>> {
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
