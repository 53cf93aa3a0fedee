import { createBusyRetryingFetch } from "#app/lib/retry-busy.ts";

export type SessionRepair = {
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
    if (response.status !== 401 || isSignIn || !token || token === publishableKey) return response;
    const renewed = await renewOnce(token);
    if (renewed === null || renewed === "unknown" || renewed === token) return response;
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${renewed}`);
    return send(input, { ...init, headers });
  };
}
