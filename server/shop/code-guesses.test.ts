import { describe, expect, it } from "vitest";
import { runGuarded } from "../api/data/guards.ts";
import type { DataRequest } from "../api/data/query.ts";
import { readRequest } from "../api/data/request.ts";
import type { Sql } from "../database/sql.ts";
import { Refusal } from "../lib/refusal.ts";
import { guardBooklistCodes, maxMisses } from "./code-guesses.ts";

const LISTED = "11111-11111";
const WINDOW_MS = 10 * 60_000;

/** A request as the data API understands it. */
function lookup(request: Request, body: string | null = null) {
  if (body !== null) request.headers.set("content-type", "application/json");
  return readRequest(request, new URL(request.url), body);
}

/** The guard over a shop of which only one list, a listed one, is known; `time.now` moves on. */
function guard() {
  const time = { now: 1_000 };
  const misses = new Map<unknown, { count: number; endsAt: number }>();
  const existing = (key: unknown) => {
    const found = misses.get(key);
    return found && found.endsAt > time.now ? found : { count: 0, endsAt: time.now + WINDOW_MS };
  };
  const query = async (text: string, [first, , third]: unknown[]) => {
    if (text.includes("count_attempt")) {
      const [key] = JSON.parse(String(first));
      const { count, endsAt } = existing(key);
      misses.set(key, { count: count + 1, endsAt });
      return [{ wait: "0" }];
    }
    if (text.includes("private_shop.attempts")) {
      const { count, endsAt } = existing(first);
      return count >= Number(third) ? [{ wait: endsAt - time.now }] : [];
    }
    expect(first).not.toContain("\0");
    return [{ listed: first === LISTED }];
  };
  const sql = { query };
  const guards = guardBooklistCodes(sql as unknown as Sql, "a secret", () => time.now);
  const guarded = (request: DataRequest, ip: string | null, respond: () => Promise<Response>) =>
    runGuarded(guards, request, ip, respond);
  const ask = (
    code: string,
    {
      ip = "203.0.113.7" as string | null,
      found = code === LISTED,
      name = "find_booklist",
      method = "POST",
    } = {},
  ) => {
    const path = method === "POST" ? name : `${name}?_code=${code}`;
    const body = method === "POST" ? JSON.stringify({ _code: code }) : null;
    const request = new Request(`http://shop.example/rest/v1/rpc/${path}`, { method });
    return guarded(lookup(request, body), ip, async () => Response.json(found ? [{ code }] : []));
  };
  const guess = async (times: number, how = {}) => {
    for (let n = 0; n < times; n += 1) await ask("00000-00000", how);
  };
  return { time, guarded, ask, guess, keys: () => [...misses.keys()] };
}

const refused = { status: 429, code: "PT429" };

describe("guessing codes of booklists", () => {
  it("is refused after so many wrong ones from one network, until the window is over", async () => {
    const { time, ask, guess } = guard();
    await guess(maxMisses);
    await expect(ask("22222-22222", { found: true })).rejects.toMatchObject({
      ...refused,
      message: "Too many codes have been tried from your network. Please try again in ten minutes.",
    });
    // The database takes no text with this character.
    await expect(ask("\0")).rejects.toMatchObject(refused);
    await expect(ask("22222-22222", { found: true, method: "GET" })).rejects.toMatchObject(refused);
    time.now += WINDOW_MS - 60_000;
    await expect(ask("00000-00000")).rejects.toMatchObject({
      details: JSON.stringify({ code: "too_many_codes", retry_after_seconds: 60 }),
      headers: { "Retry-After": "60" },
    });
    time.now += 60_000;
    expect((await ask("22222-22222", { found: true })).status).toBe(200);
  });

  it("locks no school out of a list that everybody finds by its name, nor other networks out of any", async () => {
    const { ask, guess } = guard();
    await guess(maxMisses, { ip: "2001:db8:1:2::7" });
    await expect(ask("22222-22222", { ip: "2001:db8:1:2::8", found: true })).rejects.toMatchObject(refused);
    expect((await ask(LISTED, { ip: "2001:db8:1:2::7" })).status).toBe(200);
    expect((await ask(LISTED, { ip: "2001:db8:1:2::7", method: "GET" })).status).toBe(200);
    expect((await ask("22222-22222", { ip: "2001:db8:1:3::7", found: true })).status).toBe(200);
  });

  it("does not count what is found, nor other requests, nor the shop itself", async () => {
    const { guarded, ask, guess } = guard();
    for (let n = 0; n <= maxMisses; n += 1) await ask("22222-22222", { found: true });
    await guess(maxMisses + 1, { name: "search_booklists" });
    await guess(maxMisses + 1, { ip: null });
    await guess(maxMisses + 1, { ip: "127.0.0.1" });
    const one = async () => Response.json({ code: LISTED });
    const busy = () => Promise.reject(new Refusal(503, "PT503", "The shop is busy.", "{}"));
    const find = new Request("http://shop.example/rest/v1/rpc/find_booklist", { method: "POST" });
    await guarded(lookup(find, "{}"), "203.0.113.7", one);
    await expect(guarded(lookup(find, "{}"), "203.0.113.7", busy)).rejects.toMatchObject({ status: 503 });
    await guess(maxMisses - 1);
    expect((await ask("22222-22222", { found: true })).status).toBe(200);
  });

  it("counts responses that only hide what was found, and lists that cannot be put into a cart", async () => {
    const { guarded, ask, guess } = guard();
    await guess(maxMisses - 3);
    const target = "http://shop.example/rest/v1/rpc/find_booklist?_code=22222-22222";
    await guarded(
      lookup(new Request(target, { method: "HEAD" })),
      "203.0.113.7",
      async () => new Response(null),
    );
    const failed = async () => Response.json({ message: "No such function" }, { status: 404 });
    await guarded(lookup(new Request(target)), "203.0.113.7", failed);
    const details = JSON.stringify({ code: "booklist_not_found" });
    const add = new Request("http://shop.example/rest/v1/rpc/add_booklist_to_cart", { method: "POST" });
    const refuse = async () => {
      throw new Refusal(404, "PT404", "This booklist is not available.", details);
    };
    await expect(guarded(lookup(add, "{}"), "203.0.113.7", refuse)).rejects.toMatchObject({ status: 404 });
    await expect(guarded(lookup(add, "not JSON"), "203.0.113.7", refuse)).rejects.toMatchObject(refused);
    await expect(ask("22222-22222", { found: true })).rejects.toMatchObject(refused);
  });

  it("names no network in the database", async () => {
    const { keys, guess } = guard();
    await guess(1);
    expect(keys()).toHaveLength(1);
    expect(keys().join()).not.toContain("203.0.113");
  });
});
