import { randomBytes } from "node:crypto";
import { plainEmail } from "../../lib/email-address.ts";
import type { Context } from "./parts.ts";
import { setPassword } from "./set-password.ts";
import { findByEmail } from "./users.ts";

/** What the owner's commands learn about an account; with the password if a new one was requested. */
export type OwnersAccount = { found: boolean; confirmed: boolean; password: string | null };

/**
 * Looks up an account for the owner and, on request, gives it a new password: its sessions end and its links become
 * invalid.
 */
export async function ownersAccount(
  { sql, passwords, tasks }: Pick<Context, "sql" | "passwords" | "tasks">,
  { email: typed, new_password: isNew }: Record<string, unknown>,
): Promise<OwnersAccount> {
  const email = plainEmail(String(typed));
  const user = email ? await findByEmail(sql, email) : null;
  const confirmed = Boolean(user?.email_confirmed_at);
  if (!user || !email || !confirmed || isNew !== true)
    return { found: user !== null, confirmed, password: null };
  const password = randomBytes(12).toString("base64url");
  const hash = await passwords.hash(password, email);
  await sql.transaction((transaction) => setPassword(transaction, user.id, hash));
  tasks.soon();
  return { found: true, confirmed, password };
}
