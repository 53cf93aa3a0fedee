import { createLimits } from "../api/accounts/limits.ts";
import type { FunctionGuard, FunctionGuards } from "../api/data/guards.ts";
import type { Sql } from "../database/sql.ts";
import { networkOf } from "../lib/network.ts";
import { Refusal } from "../lib/refusal.ts";

const windowMs = 60 * 60_000;

/**
 * Submitted forms per network and hour. A whole school may register from one IP address; the other forms send an email to an
 * address that nobody has confirmed.
 */
export const maxPerNetwork = {
  register_for_event: 100,
  subscribe_to_events: 20,
  request_consultation: 20,
} as const;

/**
 * Limits how often one network sends each form, in addition to the database's limits, which don't see networks.
 * Counted in the database, across all processes.
 * @param secret hashes the networks
 */
export function guardForms(sql: Sql, secret: string, now: () => number = Date.now): FunctionGuards {
  const limits = createLimits(sql, secret, now);
  const guardOf =
    (name: keyof typeof maxPerNetwork): FunctionGuard =>
    async (_request, clientIp, respond) => {
      const network = networkOf(clientIp);
      if (network !== null) {
        const wait = await limits.waitMs([
          { key: `${name} ${network}`, most: maxPerNetwork[name], windowMs },
        ]);
        if (wait > 0) throw tooMany(wait);
      }
      return respond();
    };
  return new Map(
    (Object.keys(maxPerNetwork) as (keyof typeof maxPerNetwork)[]).map((name) => [name, guardOf(name)]),
  );
}

function tooMany(waitMs: number): Refusal {
  const retry_after_seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const facts = JSON.stringify({ code: "too_many_requests", retry_after_seconds });
  return new Refusal(
    429,
    "PT429",
    "There have been too many requests from your network. Please call us, or try again in an hour.",
    facts,
    { "Retry-After": String(retry_after_seconds) },
  );
}
