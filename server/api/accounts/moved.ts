import type { Sql } from "../../database/sql.ts";
import type { EmailTransport } from "../../emails/email-transport.ts";
import { makeLink } from "./links.ts";
import type { AccountsSettings } from "./parts.ts";
import { findByEmail, isBanned } from "./users.ts";

/**
 * Emails people whose password could not be moved: the reason, and a link to choose a new one. Returns how many were
 * emailed.
 */
export async function emailMovedPeople(
  sql: Sql,
  from: Pick<AccountsSettings, "siteUrl" | "readShop">,
  sendEmail: EmailTransport["send"],
  { emails }: Record<string, unknown>,
): Promise<{ sent: number }> {
  let sent = 0;
  for (const email of Array.isArray(emails) ? emails.map(String) : []) {
    const user = await findByEmail(sql, email);
    if (!user?.email_confirmed_at || user.encrypted_password || isBanned(user, Date.now())) continue;
    const link = { kind: "recovery", userId: user.id, email, redirectTo: null, template: "moved" } as const;
    await sendEmail(await makeLink({ now: Date.now, ...from }, sql, link));
    sent += 1;
  }
  return { sent };
}
