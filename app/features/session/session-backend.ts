import { showToast } from "#app/components/toast.ts";
import { type BackendClient, createBrowserBackend } from "#app/lib/backend-client.ts";
import { SIGNED_OUT } from "#app/lib/backend-failure.ts";
import { authFailure } from "#app/lib/backend-response.ts";
import { backendAddress, readSetting } from "#app/lib/env.ts";
import { isUnanswered } from "#app/lib/retry-rule.ts";
import { followForgetting, keepOnlyFor } from "./forget-personal.ts";
import { createRepairingFetch, type SessionRepair } from "./session-repair.ts";
import { storedUser } from "./stored-session.ts";

/** The browser's backend client. A refused session is renewed, or ends with a message. */
export function createSessionBackend(): BackendClient {
  const key = readSetting("publishableKey");
  const repair: SessionRepair = {
    renew: (refused) => renewToken(client.auth, refused),
    async end() {
      await client.auth.signOut({ scope: "local" });
      showToast("error", SIGNED_OUT, {
        action: { label: "Sign In", onClick: () => window.location.assign("/auth") },
      });
    },
  };
  const client = createBrowserBackend(backendAddress(), key, createRepairingFetch(key, repair));
  followForgetting();
  client.auth.onAuthStateChange((_event, session) => {
    // Without a connection a session that cannot be renewed is reported as none, but stays stored.
    if (session || !storedUser()) keepOnlyFor(session?.user.id ?? null);
  });
  return client;
}

/** A new token for a refused one; another request or tab may already have fetched it. */
async function renewToken(auth: BackendClient["auth"], refused: string): Promise<string | "unknown" | null> {
  const { data } = await auth.getSession();
  const stored = data.session?.access_token;
  if (stored !== refused) return stored ?? null;
  const renewed = await auth.refreshSession();
  if (renewed.error && isUnanswered(authFailure(renewed.error))) return "unknown";
  return renewed.data.session?.access_token ?? null;
}
