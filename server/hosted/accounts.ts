import { randomBytes } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import type { CallDatabase } from "../lib/call-database.ts";

type Project = { url: string; secretKey: string };

/**
 * Empties and closes a hosted project's account through its admin API: an address that cannot exist, a random password, no
 * metadata, banned.
 * @throws Error with one line for the owner
 */
export async function emptyHostedAccount(userId: string, { url, secretKey }: Project): Promise<void> {
  const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  const { admin } = createClient(url, secretKey, { auth }).auth;
  const { data, error: unknown } = await admin.getUserById(userId);
  if (unknown) throw new Error(`The account cannot be read: ${unknown.message}`);
  const names = Object.keys(data.user.user_metadata ?? {});
  const { error } = await admin.updateUserById(userId, {
    email: `${userId}@nobody.invalid`,
    email_confirm: true,
    password: randomBytes(32).toString("base64url"),
    user_metadata: Object.fromEntries(names.map((name) => [name, null])),
    ban_duration: "876000h",
  });
  if (error) throw new Error(`The account cannot be emptied: ${error.message}`);
}

/**
 * Closes a customer's account in a hosted project, for themselves or for staff. After an interruption it can be repeated, since they can
 * still sign in until their account has been emptied. The shop's rows come last, because the profile follows the account's address.
 * @throws Refusal when it may not be closed now
 */
export async function closeHostedAccount(
  userId: string,
  project: Project,
  call: CallDatabase,
  staffId?: string,
): Promise<void> {
  if (staffId) await call("anonymise_customer", { _user_id: userId, _by: staffId });
  else await call("close_account", { _user_id: userId });
  await emptyHostedAccount(userId, project);
  await call("anonymise_customer", { _user_id: userId });
}
