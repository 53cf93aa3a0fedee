import { logFailure } from "#app/lib/failure-message.ts";
import { getBackend } from "./backend.ts";

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
