import { isUuid } from "#shared/text/uuid.ts";
import type { Sql } from "../database/sql.ts";

const cachedMs = 10_000;
const maxCached = 10_000;

/**
 * Checks whether a token's session still exists: signing out or a new password ends sessions whose tokens would be
 * valid for up to another hour. Cached for up to 10 seconds, to save a query per request.
 * @param now milliseconds
 */
export function openSessions(sql: Sql, now: () => number) {
  const cache = new Map<string, { isOpen: Promise<boolean>; readMs: number }>();

  async function read(sessionId: string, userId: string): Promise<boolean> {
    const found = await sql.query(
      "select from auth.sessions where id = $1::text::uuid and user_id = $2::text::uuid",
      [sessionId, userId],
      "prepared",
    );
    return found.length > 0;
  }

  return async (sessionId: unknown, userId: string): Promise<boolean> => {
    if (typeof sessionId !== "string" || !isUuid(sessionId)) return false;
    const key = `${sessionId} ${userId}`.toLowerCase();
    const cached = cache.get(key);
    if (cached && now() - cached.readMs <= cachedMs) return cached.isOpen;
    const entry = { isOpen: read(sessionId, userId), readMs: now() };
    cache.delete(key);
    cache.set(key, entry);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    entry.isOpen.catch(() => {
      if (cache.get(key) === entry) cache.delete(key);
    });
    return entry.isOpen;
  };
}
