import { showToast } from "#app/components/toast.ts";
import { type BackendClient, createBrowserBackend } from "#app/lib/backend/client.ts";
import { createDeviceFetch } from "#app/lib/backend/device-id.ts";
import { SIGNED_OUT } from "#app/lib/backend/failure.ts";
import { authFailure } from "#app/lib/backend/response.ts";
import { createBusyRetryingFetch } from "#app/lib/backend/retry-busy.ts";
import { isUnanswered } from "#app/lib/backend/retry-rule.ts";
import { backendAddress, readSetting } from "#app/lib/browser/env.ts";
import { deleteOthersData, followForgetting } from "./forget-personal.ts";
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
  const send = createDeviceFetch(createBusyRetryingFetch());
  const client = createBrowserBackend(backendAddress(), key, createRepairingFetch(key, repair, send));
  followForgetting();
  client.auth.onAuthStateChange((_event, session) => {
    // Without a connection a session that cannot be renewed is reported as none, but stays stored.
    if (session || !storedUser()) deleteOthersData(session?.user.id ?? null);
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

/**
 * A session without the time at which it ends by the server's clock: the client works it out from how long it lasts. On a device whose
 * clock is days ahead every request would renew a session that had just begun.
 */
async function onThisClock(response: Response): Promise<Response> {
  const body = response.ok
    ? await response
        .clone()
        .json()
        .catch(() => null)
    : null;
  if (!body?.access_token) return response;
  const { expires_at, ...session } = body;
  return new Response(JSON.stringify(session), response);
}

type SessionRepair = {
  /** A new token; `unknown` without a response, null when the session is over. */
  renew: (refusedToken: string) => Promise<string | "unknown" | null>;
  /** Signs out in this browser, with a message. */
  end: () => Promise<void>;
};

/**
 * `fetch` for authenticated requests. A refused token (revoked, or expired on a device whose clock is slow) is renewed and
 * the request retried; when that fails the session ends in this browser. Requests that are refused together share one
 * renewal.
 */
export function createRepairingFetch(
  publishableKey: string,
  repair: SessionRepair,
  send: typeof fetch = createBusyRetryingFetch(),
): typeof fetch {
  let latest: { refused: string; outcome: Promise<string | "unknown" | null> } | null = null;

  function renewOnce(refused: string): Promise<string | "unknown" | null> {
    if (latest?.refused !== refused) {
      const outcome = repair.renew(refused).then(async (token) => {
        if (token === null) await repair.end();
        if (token === "unknown") latest = null;
        return token;
      });
      latest = { refused, outcome };
    }
    return latest.outcome;
  }

  return async (input, init) => {
    const response = await send(input, init);
    const token = new Headers(init?.headers).get("Authorization")?.replace(/^Bearer /, "");
    const isSignIn = new URL(input instanceof Request ? input.url : input).pathname.startsWith("/auth/v1/");
    if (isSignIn) return onThisClock(response);
    if (response.status !== 401 || !token || token === publishableKey) return response;
    const renewed = await renewOnce(token);
    if (renewed === null || renewed === "unknown" || renewed === token) return response;
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${renewed}`);
    return send(input, { ...init, headers });
  };
}
