import { readRefusalFacts } from "#shared/calls/refusal-facts.ts";
import { createLimits } from "../api/accounts/limits.ts";
import { readArgs } from "../api/data/call.ts";
import type { FunctionGuard, FunctionGuards } from "../api/data/guards.ts";
import type { DataRequest } from "../api/data/query.ts";
import { refusalOf } from "../database/errors.ts";
import type { Sql } from "../database/sql.ts";
import { ConcurrencyLimit } from "../lib/concurrency-limit.ts";
import { networkOf } from "../lib/network.ts";
import { Refusal } from "../lib/refusal.ts";

const windowMs = 10 * 60_000;
/** Too few guesses to find one of 2^50 codes, and far more than a school full of mistyped codes. */
export const maxMisses = 200;

/** The functions that reveal whether a code has a list. */
const lookups = ["find_booklist", "add_booklist_to_cart"];

/** Each takes a millisecond on one of the owner's connections. */
const countingLimits = { running: 2, each: 2 };

/**
 * Limits guessing the codes of booklists: after a number of codes without a list, a network's lookups are refused
 * until the window ends. Lists that the search by school shows are not secret and are still served, so that one
 * guesser cannot lock a school out. Counted in the database, for all processes together.
 * @param secret hashes the networks
 */
export function guardBooklistCodes(sql: Sql, secret: string, now: () => number = Date.now): FunctionGuards {
  const limits = createLimits(sql, secret, now);
  const counting = new ConcurrencyLimit(countingLimits);
  const missesOf = (network: string) => ({ key: `codes ${network}`, most: maxMisses, windowMs });

  /** Milliseconds until the network may look up codes again; 0 if it may. */
  async function waitMs(network: string): Promise<number> {
    const { key, most } = missesOf(network);
    const [row] = await sql.query<{ wait: number }>(
      `select (extract(epoch from ends_at - $2::text::timestamptz) * 1000)::float8 as wait from private_shop.attempts
        where key = $1 and attempts >= $3::text::int and ends_at > $2::text::timestamptz`,
      [limits.hash(key), new Date(now()).toISOString(), String(most)],
    );
    return row?.wait ?? 0;
  }

  async function isListed(code: unknown): Promise<boolean> {
    const [row] = await sql.query<{ listed: boolean }>(
      `select exists (select from public.booklists b
                       where b.code = private.booklist_code($1::text) and b.status = 'published' and b.is_listed) as listed`,
      [String(code ?? "").replaceAll("\0", "")],
    );
    return row?.listed === true;
  }

  /** @throws Refusal 429 instead of a guess too many */
  const guard: FunctionGuard = async (request, clientIp, respond) => {
    const network = networkOf(clientIp);
    if (network === null) return respond();
    const inTurn = <T>(work: () => Promise<T>) => counting.run({ kind: "visitor", key: network }, work);
    const count = () => inTurn(() => limits.waitMs([missesOf(network)]));
    const wait = await inTurn(() => waitMs(network));
    if (wait > 0 && !(await isListed(readCode(request)))) throw tooMany(wait);
    try {
      const response = await respond();
      if (!(await hasRow(response))) await count();
      return response;
    } catch (thrown) {
      if (readRefusalFacts(refusalOf(thrown, "anon")?.details).code === "booklist_not_found") await count();
      throw thrown;
    }
  };
  return new Map(lookups.map((name) => [name, guard]));
}

function readCode(request: DataRequest): unknown {
  try {
    return readArgs(request).get("_code");
  } catch {
    return null;
  }
}

/** A response without a row, such as to HEAD, counts as a guess. */
async function hasRow(response: Response): Promise<boolean> {
  return response.ok && /^\[?\{/.test(await response.clone().text());
}

function tooMany(waitMs: number): Refusal {
  const retry_after_seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const facts = JSON.stringify({ code: "too_many_codes", retry_after_seconds });
  return new Refusal(
    429,
    "PT429",
    "Too many codes have been tried from your network. Please try again in ten minutes.",
    facts,
    { "Retry-After": String(retry_after_seconds) },
  );
}
