import { randomBytes } from "node:crypto";
import { plainEmail } from "../../shared/email-address.ts";
import type { Secrets } from "../secrets.ts";
import type { Sql } from "../sql.ts";
import { createPasswords } from "./passwords.ts";
import { setPassword } from "./set-password.ts";
import { findByEmail } from "./users.ts";

/** What the owner's commands learn about an account; with the password if a new one was requested. */
export type OwnersAccount = { found: boolean; confirmed: boolean; password: string | null };

/**
 * Looks up an account for the owner and, on request, gives it a new password: its sessions end and its links become
 * invalid.
 */
export async function ownersAccount(
  sql: Sql,
  secrets: Secrets,
  { email: typed, new_password: isNew }: Record<string, unknown>,
): Promise<OwnersAccount> {
  const email = plainEmail(String(typed));
  const user = email ? await findByEmail(sql, email) : null;
  const confirmed = Boolean(user?.email_confirmed_at);
  if (!user || !email || !confirmed || isNew !== true)
    return { found: user !== null, confirmed, password: null };
  const password = randomBytes(12).toString("base64url");
  const hash = await createPasswords(secrets.jwtSecret).hash(password, email);
  await sql.transaction((transaction) => setPassword(transaction, user.id, hash));
  return { found: true, confirmed, password };
}
