import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Backend } from "../api/backend.ts";
import { clientAddress } from "../lib/client-address.ts";
import { log } from "../lib/log.ts";
import { Refusal } from "../lib/refusal.ts";
import { notStored, refuse } from "../lib/route-responses.ts";
import type { Settings } from "../lib/settings.ts";

type RouteContext = Context<{ Bindings: HttpBindings }>;
type Account = { id: string; email: string };

const failed = "We couldn't close your account. Please try again in a moment.";

/** The browser as it names itself: signing in for it here is not a sign-in from a new device. */
function userAgentHeader({ headers }: Request): Record<string, string> {
  const named = ["user-agent", "x-device"].map((name) => [name, headers.get(name)] as const);
  return Object.fromEntries(named.filter((pair): pair is [string, string] => pair[1] !== null));
}

/** The web server's routes below /account: closing one's own account needs rights that no browser has. */
export function accountRoutes(settings: Settings, backend: Backend): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  routes.use("/close", notStored);

  const ask = (c: RouteContext, path: string, init: RequestInit) => {
    const headers = { ...init.headers, apikey: backend.publishableKey, "content-type": "application/json" };
    const { signal } = c.req.raw;
    const request = new Request(new URL(path, settings.siteUrl), { ...init, headers, signal });
    return backend.fetch(request, clientAddress(c.env.incoming, settings));
  };

  routes.post("/close", async (c) => {
    const { closeAccount } = backend;
    if (!closeAccount) return refuse(c, 409, "Please write to us and we'll close your account for you.");
    const { password } = ((await c.req.json().catch(() => null)) ?? {}) as { password?: unknown };
    if (typeof password !== "string" || !password) return refuse(c, 400, "Please enter your password.");
    const headers = { authorization: c.req.header("authorization") ?? "" };
    const who = await ask(c, "/auth/v1/user", { headers });
    if (who.status >= 500) return refuse(c, 503, failed, "unavailable");
    if (!who.ok) return refuse(c, 401, "Please sign in again.");
    const { id, email } = (await who.json()) as Account;
    // A stolen password alone can't close the account either.
    const step = await ask(c, "/rest/v1/rpc/own_second_step", { method: "POST", headers, body: "{}" });
    if (!step.ok) return refuse(c, 503, failed, "unavailable");
    if ((await step.json()) === "code")
      return refuse(c, 403, "Sign in again with a code from your app first.", "insufficient_aal");
    // A session may have been left open on a shared computer; only the password proves who this is. Wrong passwords
    // count towards the sign-in limit.
    const signIn = await ask(c, "/auth/v1/token?grant_type=password", {
      method: "POST",
      headers: userAgentHeader(c.req.raw),
      body: JSON.stringify({ email, password }),
    });
    if (!signIn.ok) {
      const { msg = failed } = (await signIn.json().catch(() => ({}))) as { msg?: string };
      return refuse(c, signIn.status, signIn.status === 400 ? "The password is incorrect." : msg);
    }
    try {
      await closeAccount(id);
      return c.json({});
    } catch (error) {
      if (error instanceof Refusal && error.status < 500)
        return refuse(c, error.status, error.message, error.code);
      // Not the provider's message, which may name people.
      log.warn("closing an account failed", { error: (error as Error).name });
      return refuse(c, 503, failed, "unavailable");
    }
  });
  return routes;
}
