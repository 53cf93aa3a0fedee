import { networkOf } from "../shared/network.ts";
import { Refusal } from "../shared/refusal.ts";
import { refusalOf } from "./errors.ts";
import type { Sql } from "./sql.ts";

const windowMs = 10 * 60_000;
/** Too few guesses to find one of 2^50 codes, and far more than a school full of mistyped codes. */
export const maxMisses = 200;
/** How many networks are remembered; beyond that, the oldest one is forgotten. */
const maxNetworks = 10_000;

/** The functions that reveal whether a code has a list. */
const asking = /^\/rest\/v1\/rpc\/(?:find_booklist|add_booklist_to_cart)$/;

type Misses = { count: number; until: number };

/**
 * Limits guessing the codes of booklists: after a number of codes without a list, a network's lookups are refused
 * until the window ends. Lists that the search by school shows are not secret and are still served, so that one
 * guesser cannot lock a school out. Kept in memory: a restart resets the count, which makes no difference to 50 bits.
 */
export function createCodeGuesses(sql: Sql, now: () => number) {
  const networks = new Map<string, Misses>();

  function missesOf(network: string): Misses {
    const known = networks.get(network);
    if (known && known.until > now()) return known;
    networks.delete(network);
    const fresh = { count: 0, until: now() + windowMs };
    networks.set(network, fresh);
    const [first] = networks.keys();
    if (networks.size > maxNetworks && first !== undefined) networks.delete(first);
    return fresh;
  }

  async function isListed(code: unknown): Promise<boolean> {
    const [row] = await sql.query<{ listed: boolean }>(
      `select exists (select from public.booklists b
                       where b.code = private.booklist_code($1::text) and b.status = 'published' and b.is_listed) as listed`,
      [String(code ?? "").replaceAll("\0", "")],
    );
    return row?.listed === true;
  }

  /**
   * Handles a data API request, unless it is one guess too many.
   * @throws Refusal 429
   */
  return async (
    request: Request,
    body: string | null,
    clientIp: string | null,
    answer: () => Promise<Response>,
  ): Promise<Response> => {
    const url = new URL(request.url);
    const network = networkOf(clientIp ?? "");
    if (network === null || !asking.test(url.pathname)) return answer();
    const misses = missesOf(network);
    if (misses.count >= maxMisses && !(await isListed(readCode(url, body))))
      throw tooMany(misses.until - now());
    try {
      const answered = await answer();
      if (!(await hasRow(answered))) misses.count += 1;
      return answered;
    } catch (thrown) {
      if (refusalOf(thrown, "anon")?.details?.includes("booklist_not_found")) misses.count += 1;
      throw thrown;
    }
  };
}

function readCode(url: URL, body: string | null): unknown {
  if (body === null) return url.searchParams.get("_code");
  try {
    return (JSON.parse(body) as { _code?: unknown } | null)?._code;
  } catch {
    return null;
  }
}

/** A response without a row, such as to HEAD, counts as a guess. */
async function hasRow(answer: Response): Promise<boolean> {
  if (!answer.ok) return false;
  return /^\[?\{/.test(await answer.clone().text());
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
