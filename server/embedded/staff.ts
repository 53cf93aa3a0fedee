import type { Sql } from "./sql.ts";

const forgetAfterMs = 10_000;

/**
 * Whether a customer is staff, at most 10 seconds ago. It decides only who gets a free connection first; what each
 * caller may do is up to the database's policies.
 */
export function openStaff(sql: Sql, now: () => number): (userId: string) => Promise<boolean> {
  let known: Promise<Set<string>> = Promise.resolve(new Set());
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = async () => {
    const rows = await sql.query<{ id: string }>(
      "select user_id::text as id from public.user_roles where role in ('admin', 'moderator')",
    );
    return new Set(rows.map(({ id }) => id));
  };
  return async (userId) => {
    if (now() - askedAt > forgetAfterMs) {
      askedAt = now();
      known = ask().catch(() => new Set());
    }
    return (await known).has(userId.toLowerCase());
  };
}
