import type { Session } from "@supabase/supabase-js";
import { useSyncExternalStore } from "react";
import { showToast } from "#app/components/toast.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { readSetting, SESSION_KEY } from "#app/lib/env.ts";
import { type MailLink, pageForMailLink, readMailLink, withoutMailLink } from "./mail-link.ts";
import { startRecovery } from "./recovery.ts";
import { isSameSession, type SessionState } from "./session.ts";
import { hasStoredSession, isSessionStoredFor } from "./stored-session.ts";

let state: SessionState = { status: "unknown" };
let backend: Promise<BackendClient> | null = null;
/** While the tokens of a mail's link are being exchanged, "nobody is stored here" is not the last word. */
let followingLink = false;
let linkProblem: string | null = null;
const listeners = new Set<() => void>();

/**
 * The browser's backend client, loaded on first use: a visitor who only looks around never downloads it.
 * From then on the session follows what the client says, in this tab and in others.
 */
export function getBackend(): Promise<BackendClient> {
  backend ??= import("#app/lib/backend-client.ts").then(({ createBrowserBackend }) => {
    const client = createBrowserBackend(readSetting("backendUrl"), readSetting("publishableKey"));
    // No call of the client inside this callback may be awaited: it would wait for itself.
    client.auth.onAuthStateChange((_event, session) => show(session));
    return client;
  });
  // A dropped connection must not make every later attempt fail too.
  backend.catch(() => {
    backend = null;
  });
  return backend;
}

/** Called once by the browser's entry, before hydration. */
export function startSession(): void {
  const link = readMailLink(window.location);
  if (link && leaveForItsPage(link)) return;
  if (link) {
    window.history.replaceState(window.history.state, "", withoutMailLink(window.location));
    if (link.kind === "problem") linkProblem = link.code;
  }
  if (link?.kind === "session") void followLink(link);
  else if (hasStoredSession() || window.location.pathname.startsWith("/auth"))
    getBackend().catch(() => setState({ status: "signed-out" }));
  else setState({ status: "signed-out" });
  window.addEventListener("storage", followOtherTabs);
}

/** Signing in or out in another tab reaches a tab that has not loaded the client, too. */
function followOtherTabs({ key, storageArea }: StorageEvent): void {
  if (storageArea !== window.localStorage || (key !== null && key !== SESSION_KEY)) return;
  if (hasStoredSession()) void readSession();
  else if (!followingLink) setState({ status: "signed-out" });
}

/** Asks the client who is signed in now; without an answer everything stays as it is. */
async function readSession(): Promise<void> {
  try {
    const { auth } = await getBackend();
    const { data, error } = await auth.getSession();
    if (!error) show(data.session);
  } catch {
    // The next change in any tab asks again.
  }
}

/** Takes over what the client tells of the session, as far as it can be relied on already. */
function show(session: Session | null): void {
  if (!session) {
    if (!followingLink) setState({ status: "signed-out" });
    return;
  }
  const { id, email = "" } = session.user;
  // Another tab's message may be here before what it stored. Until then requests would be a visitor's; the storage
  // event that follows tells it again.
  if (isSessionStoredFor(id)) setState({ status: "signed-in", user: { id, email } });
}

/** Whether the answer of a mail's link belongs on another page, to which the browser is then on its way. */
function leaveForItsPage(link: MailLink): boolean {
  const page = pageForMailLink(link, window.location.pathname);
  if (page === window.location.pathname) return false;
  window.location.replace(page + (link.kind === "session" ? window.location.hash : problemHash(link.code)));
  return true;
}

function problemHash(code: string): string {
  return `#${new URLSearchParams({ error_code: code, error_description: code })}`;
}

/** Signs in with the tokens of a mail's link. */
async function followLink(link: MailLink & { kind: "session" }): Promise<void> {
  followingLink = true;
  let problem: string | null = null;
  try {
    const { auth } = await getBackend();
    const { data, error } = await auth.setSession({
      access_token: link.accessToken,
      refresh_token: link.refreshToken,
    });
    if (data.user && link.purpose === "recovery") startRecovery(data.user.id);
    else if (data.user) showToast("success", "Your email is verified. You are signed in.");
    if (error) problem = error.status ? "otp_expired" : "no_answer";
  } catch {
    problem = "no_answer";
  }
  followingLink = false;
  linkProblem = problem;
  if (problem && state.status === "unknown") setState({ status: "signed-out" });
  else notify();
}

export function getSession(): SessionState {
  return state;
}

/** Calls back on each change of session; returns the way to stop. */
export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const unknown: SessionState = { status: "unknown" };

/** The session as React state. The first render is always `unknown`, as on the server. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribeSession, getSession, () => unknown);
}

/** Why the link of a mail did not work, as the provider's code; null when none failed on this visit. */
export function useLinkProblem(): string | null {
  return useSyncExternalStore(
    subscribeSession,
    () => linkProblem,
    () => null,
  );
}

/** Once somebody has acted on it, the failure of a link is told no longer. */
export function forgetLinkProblem(): void {
  if (linkProblem === null) return;
  linkProblem = null;
  notify();
}

function setState(next: SessionState): void {
  document.documentElement.toggleAttribute("data-session", next.status === "signed-in");
  if (next.status === "signed-in") linkProblem = null;
  if (isSameSession(state, next)) return;
  state = next;
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}
