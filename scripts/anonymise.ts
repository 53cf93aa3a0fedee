import { randomBytes } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import type { Database } from "#app/lib/database.types.ts";
import { isUuid } from "#app/lib/uuid.ts";
import { readSettings, type Settings } from "#server/shared/settings.ts";
import { CommandError, runCommand } from "./command.ts";
import { askToAnonymise, connectAsOwner } from "./owner-client.ts";

/*
 * npm run anonymise -- email: forgets a customer, on every backend, also while the shop runs. Orders stay, without a name. An
 * account's id may be given instead of the email, to repeat an interrupted run.
 */

/** The account's id; admins are refused, since the log of what they did would lose its actor. */
async function findCustomer(who: string): Promise<string> {
  const { client, close } = await connectAsOwner(process.env);
  try {
    const column = isUuid(who) ? "id" : "email";
    const found = await client
      .from("profiles")
      .select("id, user_roles(role)")
      .eq(column, who.trim().toLowerCase())
      .maybeSingle();
    if (found.error) throw new CommandError(`The customer cannot be looked up: ${found.error.message}`);
    if (!found.data) throw new CommandError(`No account has the email ${who}.`);
    if (found.data.user_roles.some(({ role }) => role === "admin")) {
      throw new CommandError(`${who} is an admin: take the role away first.`);
    }
    return found.data.id;
  } finally {
    await close();
  }
}

/**
 * A hosted project's account through its admin API: an address that cannot exist, a random password, no
 * metadata, banned. Then the shop's own rows, last, because the profile follows the account's address.
 */
async function anonymiseHosted(id: string, url: string, secretKey: string): Promise<number> {
  const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  const client = createClient<Database>(url, secretKey, { auth });
  const { data, error: unknown } = await client.auth.admin.getUserById(id);
  if (unknown) throw new CommandError(`The account cannot be read: ${unknown.message}`);
  const names = Object.keys(data.user.user_metadata ?? {});
  const { error } = await client.auth.admin.updateUserById(id, {
    email: `${id}@nobody.invalid`,
    email_confirm: true,
    password: randomBytes(32).toString("base64url"),
    user_metadata: Object.fromEntries(names.map((name) => [name, null])),
    ban_duration: "876000h",
  });
  if (error) throw new CommandError(`The account cannot be emptied: ${error.message}`);
  const forgotten = await client.rpc("anonymise_customer", { _user_id: id });
  if (forgotten.error) {
    throw new CommandError(
      `The account is closed, the shop's rows are not: ${forgotten.error.message}. Repeat with ${id}`,
    );
  }
  return forgotten.data;
}

async function anonymise(id: string, settings: Settings): Promise<number> {
  if (!settings.hosted) return (await askToAnonymise(settings, id)).orders;
  return anonymiseHosted(id, settings.hosted.url, process.env.SUPABASE_SECRET_KEY ?? "");
}

const usage = "Usage: npm run anonymise -- email";

await runCommand(usage, async ([who, ...more]) => {
  if (!who || who.startsWith("-") || more.length > 0) throw new CommandError(usage);
  const settings = readSettings(process.env);
  const orders = await anonymise(await findCustomer(who), settings);
  console.log(
    `${who} is forgotten; ${orders} orders stay without a name. Backups made until now still hold it.`,
  );
});
