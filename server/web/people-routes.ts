import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { isUuid } from "#shared/text/uuid.ts";
import type { Backend } from "../api/backend.ts";
import { readResult } from "../lib/call-database.ts";
import { log } from "../lib/log.ts";
import { Refusal } from "../lib/refusal.ts";
import { notStored, refuse } from "../lib/route-responses.ts";
import type { Settings } from "../lib/settings.ts";
import { accessCheckFailed, sendAsCaller } from "./staff-only.ts";

const failed = "The person could not be forgotten. Please try again in a moment.";

/** The request of a person's page that needs rights that no browser has: closing their account. */
export function peopleRoutes(settings: Settings, backend: Backend): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  const send = sendAsCaller(settings, backend);

  routes.post("/forget", notStored, async (c) => {
    const { closeAccount } = backend;
    if (!closeAccount)
      return refuse(c, 409, "The shop can't close accounts without the project's secret key. Ask the owner.");
    const { user_id } = ((await c.req.json().catch(() => null)) ?? {}) as { user_id?: unknown };
    if (typeof user_id !== "string" || !isUuid(user_id)) return refuse(c, 400, "Name the person to forget.");
    const who = await send(c, "/auth/v1/user");
    if (who.status >= 500) return refuse(c, 503, accessCheckFailed, "unavailable");
    if (!who.ok) return refuse(c, 401, "Please sign in again.");
    const { id } = (await who.json()) as { id: string };
    try {
      // Asked as the caller: the database checks their duties and second step, and whether this person may be forgotten.
      const body = JSON.stringify({ _user_id: user_id });
      const preview = await send(c, "/rest/v1/rpc/preview_anonymising", { method: "POST", body });
      const { problem } = (await readResult(preview)) as { problem: string | null };
      if (problem) return refuse(c, 409, problem, "not_forgettable");
      await closeAccount(user_id, id);
      return c.json({});
    } catch (error) {
      if (error instanceof Refusal && error.status < 500)
        return refuse(c, error.status, error.message, error.code);
      // Not the provider's message, which may name people.
      log.warn("forgetting a person failed", { error: (error as Error).name });
      return refuse(c, 503, failed, "unavailable");
    }
  });
  return routes;
}
