import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { createStore, useStore } from "#app/lib/react/create-store.ts";

export type SessionUser = { id: string; email: string };

/**
 * `unknown` is the state on the server and in the browser's first render. Redirects and member-only requests wait until
 * the state is known.
 */
export type SessionState =
  | { status: "unknown" }
  | { status: "signed-out" }
  | { status: "signed-in"; user: SessionUser };

/**
 * Runs in the page's head before anything is painted: marks the document when a session is stored, so that text for
 * visitors never flashes for a member. Constant text, hashed by the security policy.
 */
export const sessionScript = `try{if(localStorage.getItem(${JSON.stringify(SESSION_KEY)}))document.documentElement.dataset.session="stored"}catch{}`;

/** The client repeats its events on each return to the tab. */
export function isSameSession(a: SessionState, b: SessionState): boolean {
  if (a.status !== "signed-in" || b.status !== "signed-in") return a.status === b.status;
  return a.user.id === b.user.id && a.user.email === b.user.email;
}

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

/** Waits until the session is known, so that a click during the first moments is not lost. */
export function waitForSession(): Promise<Exclude<SessionState, { status: "unknown" }>> {
  return new Promise((resolve) => {
    const settle = () => {
      const state = getSession();
      if (state.status === "unknown") return false;
      resolve(state);
      return true;
    };
    if (settle()) return;
    const stop = subscribeSession(() => {
      if (settle()) stop();
    });
  });
}
