import type { Session } from "@supabase/supabase-js";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { isOffline } from "#app/lib/browser/offline.ts";
import { setLinkProblem } from "./email-link-store.ts";
import { getSession, setSession } from "./session.ts";
import { isSessionStoredFor, storedUser } from "./stored-session.ts";

let backend: Promise<BackendClient> | null = null;
/** While an emailed link's tokens are being exchanged, a missing session does not mean signed out. */
let followingLink = false;

/**
 * The browser's backend client, loaded on first use: a visitor who only browses never downloads it. From then on the
 * session follows the client's events, from this tab and others.
 */
export function getBackend(): Promise<BackendClient> {
  backend ??= import("./session-backend.ts").then(({ createSessionBackend }) => {
    const client = createSessionBackend();
    // Never await a client call inside this callback: it would deadlock.
    client.auth.onAuthStateChange((_event, session) => show(session));
    return client;
  });
  // A dropped connection must not make all later attempts fail.
  backend.catch(() => {
    backend = null;
  });
  return backend;
}

/** Starts from the stored session, until the backend client knows better. */
export function startFromStorage(): void {
  window.addEventListener("storage", followOtherTabs);
  // A page restored by the Back button has missed what happened in between.
  window.addEventListener("pageshow", ({ persisted }) => persisted && followStorage());
  const user = storedUser();
  // The client would wait half a minute for a new token.
  if (user && isOffline()) setSession({ status: "signed-in", user });
  if (user) getBackend().catch(() => show(null));
  else setSession({ status: "signed-out" });
}

/**
 * Signs in with an emailed link. `exchange` swaps its tokens for a session.
 * @returns the code of the failure, or null
 */
export async function signInByLink(exchange: () => Promise<string | null>): Promise<string | null> {
  window.addEventListener("storage", followOtherTabs);
  followingLink = true;
  const problem = await exchange().catch(() => "no_answer");
  followingLink = false;
  setLinkProblem(problem);
  if (problem && getSession().status === "unknown") setSession({ status: "signed-out" });
  return problem;
}

/** Follows a sign-in or sign-out in another tab, even before this tab has loaded the client. */
function followOtherTabs({ key, storageArea }: StorageEvent): void {
  if (storageArea === window.localStorage && (key === null || key === SESSION_KEY)) followStorage();
}

function followStorage(): void {
  if (storedUser()) void readSession();
  else show(null);
}

/** Reads the session from the client; without a response nothing changes. */
async function readSession(): Promise<void> {
  try {
    const { auth } = await getBackend();
    const { data, error } = await auth.getSession();
    if (!error) show(data.session);
  } catch {
    // The next change in any tab reads it again.
  }
}

/** Applies the client's session event, once it is certain. */
function show(session: Session | null): void {
  if (!session) {
    // Offline, the client reports no session once its token has expired. As long as the session is stored, it has not ended.
    const user = storedUser();
    if (user) setSession({ status: "signed-in", user });
    else if (!followingLink) setSession({ status: "signed-out" });
    return;
  }
  const { id, email = "" } = session.user;
  // Another tab's event may arrive before the session it stored. Until then requests would be anonymous; the storage
  // event that follows reports the session again.
  if (!isSessionStoredFor(id)) return;
  setLinkProblem(null);
  setSession({ status: "signed-in", user: { id, email } });
}

/**
 * Signs out in all tabs of this browser, but not on other devices. The stored session is removed first, so that it works
 * without a connection too.
 */
export async function signOut(): Promise<void> {
  // Fetched with the backend client, and so by every member.
  const { forgetPersonal } = await import("./forget-personal.ts");
  forgetPersonal();
  const { auth } = await getBackend();
  const { error } = await auth.signOut({ scope: "local" });
  if (error) logFailure("Signed out in this browser, but not on the server", error);
}
