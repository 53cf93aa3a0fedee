import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import type { Backend } from "../api/backend.ts";
import { clientAddress } from "../lib/client-address.ts";
import { refuse } from "../lib/route-responses.ts";
import type { Settings } from "../lib/settings.ts";

type RouteContext = Context<{ Bindings: HttpBindings }>;

export const accessCheckFailed = "We can't check who you are right now. Please try again in a moment.";

/** Sends a request to the backend as the user of the route's request. */
export const sendAsCaller =
  (settings: Settings, backend: Backend) =>
  (c: RouteContext, path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = {
      authorization: c.req.header("authorization") ?? "",
      apikey: backend.publishableKey,
      "content-type": "application/json",
    };
    const { signal } = c.req.raw;
    const request = new Request(new URL(path, settings.siteUrl), { ...init, headers, signal });
    return backend.fetch(request, clientAddress(c.env.incoming, settings));
  };

/** A duty of staff: its key, and its name on the page. */
type Duty = { key: "catalogue"; name: "Catalogue" } | { key: "settings"; name: "Settings" };

/** Lets staff with a duty through, and admins, after their second step if they have one. */
export function staffOnly(
  send: ReturnType<typeof sendAsCaller>,
  { key, name }: Duty,
): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (c, next) => {
    const who = await send(c, "/auth/v1/user");
    if (who.status >= 500) return refuse(c, 503, accessCheckFailed, "unavailable");
    if (!who.ok) return refuse(c, 401, "Please sign in again.");
    const { id } = (await who.json()) as { id: string };
    const [role, duties, step] = await Promise.all([
      send(c, "/rest/v1/rpc/get_user_role", { method: "POST", body: JSON.stringify({ _user_id: id }) }),
      send(c, `/rest/v1/staff_duties?select=duty&duty=eq.${key}&user_id=eq.${encodeURIComponent(id)}`),
      send(c, "/rest/v1/rpc/own_second_step", { method: "POST", body: "{}" }),
    ]);
    if (!role.ok || !duties.ok || !step.ok) return refuse(c, 503, accessCheckFailed, "unavailable");
    if ((await role.json()) !== "admin" && ((await duties.json()) as unknown[]).length === 0)
      return refuse(c, 403, `You don't have the duty ${name}. Ask an admin for it.`, "duty_missing");
    if ((await step.json()) !== null)
      return refuse(c, 403, "Please sign in again with a code from your app.", "second_step_missing");
    return next();
  };
}
