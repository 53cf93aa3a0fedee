import { createStore, useStore } from "#app/lib/create-store.ts";
import { isSameSession, type SessionState } from "./session.ts";

const session = createStore<SessionState>({ status: "unknown" });

export const getSession = session.get;

/** Calls the listener after each change; returns the function that unsubscribes it. */
export const subscribeSession = session.subscribe;

/** The first render is always `unknown`, as on the server. */
export function useSession(): SessionState {
  return useStore(session);
}

/** Also marks the document, so that CSS shows what is meant for members. */
export function setSession(next: SessionState): void {
  document.documentElement.toggleAttribute("data-session", next.status === "signed-in");
  if (!isSameSession(session.get(), next)) session.set(next);
}
