import type { Sql } from "../sql.ts";
import { dropLinks } from "./links.ts";
import { endSessions } from "./sessions.ts";

/**
 * Sets a new password in the caller's transaction and shuts out anyone already signed in: all sessions end, or all
 * but one, links become invalid, and an unconfirmed change of address is dropped.
 */
export async function setPassword(
  sql: Sql,
  userId: string,
  hash: string,
  keptSession: string | null = null,
): Promise<void> {
  await sql.query(
    `update auth.users set encrypted_password = $2, email_change = null, updated_at = now()
     where id = $1::text::uuid`,
    [userId, hash],
  );
  await endSessions(sql, userId, keptSession);
  await dropLinks(sql, userId);
}
