import { TAB_PREFIX } from "#app/lib/env.ts";
import { logFailure } from "#app/lib/failure-message.ts";
import { getBackend } from "./backend.ts";

/**
 * Signs out in all tabs of this browser, but not on other devices. The stored session is removed first, so that it works
 * without a connection too.
 */
export async function signOut(): Promise<void> {
  forgetThisTab();
  const { auth } = await getBackend();
  const { error } = await auth.signOut({ scope: "local" });
  if (error) logFailure("Signed out in this browser, but not on the server", error);
}

/** Removes the user's data from this tab, such as an address typed at checkout. */
function forgetThisTab(): void {
  try {
    for (const key of Object.keys(window.sessionStorage))
      if (key.startsWith(TAB_PREFIX)) window.sessionStorage.removeItem(key);
  } catch {
    // Blocked storage holds nothing.
  }
}
