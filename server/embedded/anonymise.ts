import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { outboxFolder, queueFolder } from "../mail.ts";
import type { Sql } from "./sql.ts";

export type Anonymised = { orders: number; mails: number };

/** The person's account, which stays for the orders' sake: without a name, an address, a password, or a way in. */
const emptyAccount = `
  update auth.users
     set email = null, phone = null, encrypted_password = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}',
         confirmation_token = null, recovery_token = null, email_change = null, email_change_token_new = null,
         email_change_token_current = null, phone_change = null, phone_change_token = null,
         reauthentication_token = null, last_sign_in_at = null, banned_until = '2999-12-31'
   where id = $1`;

/** Mails to a person that lie in the outbox or wait for the mail server. */
async function removeMails(dataDir: string, email: string): Promise<number> {
  let removed = 0;
  for (const folder of [outboxFolder(dataDir), queueFolder(dataDir)]) {
    for (const name of await readdir(folder).catch(() => [])) {
      const text = await readFile(join(folder, name), "utf8").catch(() => "");
      if (!text.toLowerCase().includes(email.toLowerCase())) continue;
      await rm(join(folder, name), { force: true });
      removed += 1;
    }
  }
  return removed;
}

/**
 * Forgets a person: shop and account in one transaction, then the mails. Orders stay, without a name. Nobody can sign in with
 * the account any more, and open sessions end with their next refresh.
 * @throws the database's refusal (PT404) when there is no such person
 */
export async function anonymiseAccount(sql: Sql, dataDir: string, userId: string): Promise<Anonymised> {
  const { email, orders } = await sql.transaction(async (transaction) => {
    const [account] = await transaction.query<{ email: string | null }>(
      "select email from auth.users where id = $1 for update",
      [userId],
    );
    await transaction.query(emptyAccount, [userId]);
    for (const table of ["sessions", "refresh_tokens", "identities", "flow_state"]) {
      await transaction.query(`delete from auth.${table} where user_id = $1`, [userId]);
    }
    // The library's own log of sign-ins names people by address.
    await transaction.query(
      "delete from auth.audit_log_entries where payload::text like '%' || $1::text || '%' or strpos(lower(payload::text), lower($2::text)) > 0",
      [userId, account?.email ?? userId],
    );
    const [row] = await transaction.query<{ kept: number }>("select public.anonymise_customer($1) as kept", [
      userId,
    ]);
    return { email: account?.email ?? null, orders: row?.kept ?? 0 };
  });
  return { orders, mails: email ? await removeMails(dataDir, email) : 0 };
}
