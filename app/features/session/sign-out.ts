import { TAB_PREFIX } from "#app/lib/env.ts";
import { getBackend } from "./session-store.ts";

/**
 * Signs out of this browser, its other tabs included, and leaves other devices alone. The stored session goes
 * first, so that it works without a connection too.
 */
export async function signOut(): Promise<void> {
  forgetThisTab();
  const { auth } = await getBackend();
  const { error } = await auth.signOut({ scope: "local" });
  if (error)
    console.error(
      `Signed out here, but the server was not told: ${error.code ?? error.status ?? "no answer"}`,
    );
}

/** What this tab kept for the person, such as an address typed at checkout. */
function forgetThisTab(): void {
  try {
    for (const key of Object.keys(window.sessionStorage))
      if (key.startsWith(TAB_PREFIX)) window.sessionStorage.removeItem(key);
  } catch {
    // Storage that is blocked keeps nothing.
  }
}
