import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { isUuid } from "#shared/text/uuid.ts";
import type { Backend, CloseAccount } from "../api/backend.ts";
import { readResult } from "../lib/call-database.ts";
import { log } from "../lib/log.ts";
import { Refusal } from "../lib/refusal.ts";
import { notStored, refuse } from "../lib/route-responses.ts";
import type { Settings } from "../lib/settings.ts";
import { accessCheckFailed, sendAsCaller } from "./staff-only.ts";

type PeopleContext = Context<{ Bindings: HttpBindings }>;

/** What a request does once its caller is known, with the ids that its body names. */
type Work<Name extends string> = {
  names: readonly Name[];
  missing: string;
  /** For the log and for staff, when it fails; not the provider's message, which may name people. */
  failed: { log: string; staff: string };
  run: (ids: Record<Name, string>, staffId: string, closeAccount: CloseAccount) => Promise<Response | null>;
};

/** The requests of a person's page that need rights that no browser has: closing their account. */
export function peopleRoutes(settings: Settings, backend: Backend): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  const send = sendAsCaller(settings, backend);

  async function handle<Name extends string>(c: PeopleContext, { names, missing, failed, run }: Work<Name>) {
    const { closeAccount } = backend;
    if (!closeAccount)
      return refuse(c, 409, "The shop can't close accounts without the project's secret key. Ask the owner.");
    const body = ((await c.req.json().catch(() => null)) ?? {}) as Record<string, unknown>;
    const ids = {} as Record<Name, string>;
    for (const name of names) {
      const id = body[name];
      if (typeof id !== "string" || !isUuid(id)) return refuse(c, 400, missing);
      ids[name] = id;
    }
    const who = await send(c, "/auth/v1/user");
    if (who.status >= 500) return refuse(c, 503, accessCheckFailed, "unavailable");
    if (!who.ok) return refuse(c, 401, "Please sign in again.");
    const { id } = (await who.json()) as { id: string };
    try {
      return (await run(ids, id, closeAccount)) ?? c.json({});
    } catch (error) {
      if (error instanceof Refusal && error.status < 500)
        return refuse(c, error.status, error.message, error.code);
      log.warn(failed.log, { error: (error as Error).name });
      return refuse(c, 503, failed.staff, "unavailable");
    }
  }

  /** Asked as the caller: the database checks their duties and second step, and whether it may be done. */
  const ask = async (c: PeopleContext, name: string, values: object) =>
    readResult(await send(c, `/rest/v1/rpc/${name}`, { method: "POST", body: JSON.stringify(values) }));

  routes.post("/forget", notStored, (c) =>
    handle(c, {
      names: ["user_id"],
      missing: "Name the person to forget.",
      failed: {
        log: "forgetting a person failed",
        staff: "The person could not be forgotten. Please try again in a moment.",
      },
      run: async ({ user_id }, staffId, closeAccount) => {
        const preview = await ask(c, "preview_anonymising", { _user_id: user_id });
        const { problem } = preview as { problem: string | null };
        if (problem) return refuse(c, 409, problem, "not_forgettable");
        await closeAccount(user_id, staffId);
        return null;
      },
    }),
  );

  // What was moved stays moved if closing fails, and a repeated request finishes it: it moves what has come since, and closes the account.
  routes.post("/merge", notStored, (c) =>
    handle(c, {
      names: ["from_id", "into_id"],
      missing: "Name the two accounts to merge.",
      failed: {
        log: "merging two accounts failed",
        staff:
          "The accounts could not be merged completely. Please merge them again in a moment, which finishes it.",
      },
      run: async ({ from_id, into_id }, staffId, closeAccount) => {
        await ask(c, "merge_people", { _from: from_id, _into: into_id, _dry_run: false });
        // Whatever the reason is, an order placed in between among them, repeating the merge is what helps.
        await closeAccount(from_id, staffId).catch((cause: unknown) => {
          throw new Error("The merged account is still open", { cause });
        });
        return null;
      },
    }),
  );
  return routes;
}
