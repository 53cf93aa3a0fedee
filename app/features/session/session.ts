import { SESSION_KEY } from "#app/lib/env.ts";

export type SessionUser = { id: string; email: string };

/**
 * `unknown` is what the server renders and the first render in the browser shows: nothing is known yet about
 * who looks at the page. Redirects and member-only requests wait until it is over.
 */
export type SessionState =
  | { status: "unknown" }
  | { status: "signed-out" }
  | { status: "signed-in"; user: SessionUser };

/**
 * Runs in the page's head before anything is painted: marks the document when a session is stored, so that
 * words meant for visitors never flash before a member's eyes. Constant text, hashed by the security policy.
 */
export const sessionScript = `try{if(localStorage.getItem(${JSON.stringify(SESSION_KEY)}))document.documentElement.dataset.session="stored"}catch{}`;

/** Whether two states tell the same: the client repeats itself on each return to the tab. */
export function isSameSession(a: SessionState, b: SessionState): boolean {
  if (a.status !== "signed-in" || b.status !== "signed-in") return a.status === b.status;
  return a.user.id === b.user.id && a.user.email === b.user.email;
}
