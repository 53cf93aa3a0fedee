import { SESSION_KEY } from "#app/lib/env.ts";

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
