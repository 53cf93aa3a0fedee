import type { Sql } from "../../database/sql.ts";
import { dropLinks } from "./links.ts";
import { endSessions } from "./sessions.ts";
import { storeTask } from "./tasks.ts";

/**
 * Sets a new password in the caller's transaction and shuts out anyone already signed in: all sessions end, or all
 * but one, links become invalid, and an unconfirmed change of address is dropped. An email tells the account's owner,
 * unless it's the account's first password.
 */
export async function setPassword(
  sql: Sql,
  userId: string,
  hash: string,
  remainingSession: string | null = null,
): Promise<void> {
  const [changed] = await sql.query<{ email: string | null; hadPassword: boolean }>(
    `update auth.users set encrypted_password = $2, email_change = null, updated_at = now()
     from (select id, encrypted_password from auth.users where id = $1::text::uuid for update) as before
     where users.id = before.id
     returning users.email, before.encrypted_password is not null as "hadPassword"`,
    [userId, hash],
  );
  if (changed?.email && changed.hadPassword)
    await storeTask(sql, { kind: "password-changed", email: changed.email });
  await endSessions(sql, userId, remainingSession);
  await dropLinks(sql, userId);
}
