import type { Sql } from "../database/sql.ts";

type People = { staff: Set<string>; closed: Set<string> };

export type KnownPeople = {
  /** Decides only who gets a free connection first; the database's policies decide what each caller may do. */
  isStaff: (userId: string) => Promise<boolean>;
  /** Whether the account is closed or banned: earlier tokens are valid for up to an hour. */
  isClosed: (userId: string) => Promise<boolean>;
};

const forgetAfterMs = 10_000;

/** What requests need to know about their sender, cached for up to 10 seconds to save a query per request. */
export function openPeople(sql: Sql, now: () => number): KnownPeople {
  let cached: Promise<People> = Promise.resolve({ staff: new Set(), closed: new Set() });
  let readAt = Number.NEGATIVE_INFINITY;
  const readPeople = async (): Promise<People> => {
    const rows = await sql.query<{ id: string; closed: boolean }>(
      `select user_id::text as id, false as closed from public.user_roles where role in ('admin', 'moderator')
       union select user_id::text, false from public.staff_duties
       union all select id::text, true from auth.users where banned_until > now()`,
    );
    const ids = (closed: boolean) => new Set(rows.filter((row) => row.closed === closed).map(({ id }) => id));
    return { staff: ids(false), closed: ids(true) };
  };
  const current = () => {
    if (now() - readAt > forgetAfterMs) {
      readAt = now();
      const before = cached;
      // If the query fails, no one gets priority, and closed accounts stay closed.
      cached = readPeople().catch(async () => ({ staff: new Set<string>(), closed: (await before).closed }));
    }
    return cached;
  };
  return {
    isStaff: async (userId) => (await current()).staff.has(userId.toLowerCase()),
    isClosed: async (userId) => (await current()).closed.has(userId.toLowerCase()),
  };
}
