import { createStore, useStore } from "#app/lib/create-store.ts";
import { isSameSession, type SessionState, type SessionUser } from "./session.ts";

const session = createStore<SessionState>({ status: "unknown" });

export const getSession = session.get;

/** Calls the listener after each change; returns the function that unsubscribes it. */
export const subscribeSession = session.subscribe;

/** The first render is always `unknown`, as on the server. */
export function useSession(): SessionState {
  return useStore(session);
}

/** Null while the session is unknown and for a visitor, so nothing re-renders when a visitor's session becomes known. */
export function useSessionUser(): SessionUser | null {
  return useStore(session, (state) => (state.status === "signed-in" ? state.user : null));
}

/** Also marks the document, so that CSS shows what is meant for members. */
export function setSession(next: SessionState): void {
  document.documentElement.toggleAttribute("data-session", next.status === "signed-in");
  if (!isSameSession(session.get(), next)) session.set(next);
}
