import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { hashKey } from "../api/accounts/limits.ts";
import type { Sql } from "../database/sql.ts";
import { orderHeader } from "../emails/deliver.ts";
import { outboxFolder, queueFolder } from "../emails/email-transport.ts";
import { readOutboxEmail } from "../emails/outbox-page.ts";

/** `settled` resolves once no email begun earlier is still being sent. */
type Context = { dataDir: string; jwtSecret: string; settled?: () => Promise<void> };

export type Anonymised = { orders: number; mails: number };

/**
 * Keeps the person's account, which orders refer to, but empties it: no name, no address, no password, no way to sign
 * in.
 */
const emptyAccount = `
  update auth.users
     set email = null, phone = null, encrypted_password = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}',
         confirmation_token = null, recovery_token = null, email_change = null, email_change_token_new = null,
         email_change_token_current = null, phone_change = null, phone_change_token = null,
         reauthentication_token = null, last_sign_in_at = null, banned_until = '2999-12-31'
   where id = $1`;

/** The recipient of a waiting email: a line of an outbox file, or a field of a queue file. */
function recipientOf(name: string, text: string): string {
  if (name.endsWith(".eml")) return readOutboxEmail(text).to;
  try {
    return String((JSON.parse(text) as { to?: unknown }).to);
  } catch {
    return "";
  }
}

/** The order, quote or consultation that an email in the outbox is about. */
const orderOf = (text: string) => new RegExp(`^${orderHeader}: (.*)$`, "im").exec(text)?.[1]?.trim();

/**
 * Emails in the outbox or in the queue to exactly this address, and those about these orders, quotes and
 * consultations, the owner's too.
 */
async function removeMails(dataDir: string, email: string | null, about: string[]): Promise<number> {
  let removed = 0;
  for (const folder of [outboxFolder(dataDir), queueFolder(dataDir)]) {
    for (const name of await readdir(folder).catch(() => [])) {
      const text = await readFile(join(folder, name), "utf8").catch(() => "");
      const isTo = email !== null && recipientOf(name, text).toLowerCase() === email.toLowerCase();
      if (!isTo && !about.includes(orderOf(text) ?? "")) continue;
      await rm(join(folder, name), { force: true });
      removed += 1;
    }
  }
  return removed;
}

/** Left by the first version: a log of sign-ins that contains addresses, and copies of personal details. */
async function forgetFirstVersion(sql: Sql, userId: string, email: string | null): Promise<void> {
  const [found] = await sql.query<{ found: boolean }>(
    "select to_regclass('auth.audit_log_entries') is not null as found",
  );
  if (!found?.found) return;
  await sql.query("delete from auth.identities where user_id = $1", [userId]);
  await sql.query("delete from auth.flow_state where user_id = $1", [userId]);
  await sql.query(
    "delete from auth.audit_log_entries where payload::text like '%' || $1::text || '%' or strpos(lower(payload::text), lower($2::text)) > 0",
    [userId, email ?? userId],
  );
}

/**
 * Forgets a caller without an account, by the email or phone number given for orders that staff entered, or by an
 * order's number: those orders, then the emails.
 * @returns the numbers of the orders, which stay
 */
export async function anonymiseCaller(
  sql: Sql,
  { dataDir, settled = async () => {} }: Omit<Context, "jwtSecret">,
  who: string,
): Promise<number[]> {
  // Before they are deleted.
  const consultations = await sql.query<{ id: string }>(
    "select unnest(private.consultations_of_contact($1)) as id",
    [who],
  );
  const orders = await sql.query<{ id: string; number: number }>(
    "select id, number::int from public.anonymise_caller($1)",
    [who],
  );
  await settled();
  const email = who.includes("@") ? who.trim() : null;
  await removeMails(
    dataDir,
    email,
    [...orders, ...consultations].map(({ id }) => id),
  );
  return orders.map(({ number }) => number);
}

/**
 * Forgets a person: shop and account in one transaction, then the emails. Orders stay, without a name. The account
 * can no longer be used to sign in, and open sessions end within seconds.
 * @param by the function of the database that forgets the shop's part: for the owner and staff, or for the person
 * @param staffId who among staff forgets them, for Activity
 * @throws the database's refusal (PT404 when the person does not exist); nothing is forgotten then
 */
export async function anonymiseAccount(
  sql: Sql,
  { dataDir, jwtSecret, settled = async () => {} }: Context,
  userId: string,
  by: "anonymise_customer" | "close_account" = "anonymise_customer",
  staffId: string | null = null,
): Promise<Anonymised> {
  const { email, orders, ids } = await sql.transaction(async (transaction) => {
    const [account] = await transaction.query<{ email: string | null }>(
      "select email from auth.users where id = $1 for update",
      [userId],
    );
    // Before the account is emptied, because its orders by phone are found by its email and phone number.
    const found = await transaction.query<{ id: string }>(
      "select unnest(private.orders_of($1)) as id union all select id from public.quotes where user_id = $1 union all select unnest(private.consultations_of($1))",
      [userId],
    );
    const [row] =
      by === "close_account"
        ? await transaction.query<{ kept: number }>("select public.close_account($1) as kept", [userId])
        : await transaction.query<{ kept: number }>(
            "select public.anonymise_customer($1, $2::text::uuid) as kept",
            [userId, staffId],
          );
    await transaction.query(emptyAccount, [userId]);
    for (const table of [
      "auth.sessions",
      "auth.refresh_tokens",
      "private_shop.email_links",
      "private_shop.known_networks",
      "private_shop.known_devices",
      "auth.mfa_factors",
    ]) {
      await transaction.query(`delete from ${table} where user_id = $1`, [userId]);
    }
    await transaction.query(
      `delete from private_shop.account_tasks
       where task ->> 'email' = $2::text or task ->> 'userId' = $1::text
          or exists (select from jsonb_array_elements(task -> 'emails') as email where email ->> 'to' = $2::text)`,
      [userId, account?.email ?? null],
    );
    await transaction.query("delete from private_shop.sign_ups where address = $1", [
      hashKey(jwtSecret, account?.email ?? ""),
    ]);
    await forgetFirstVersion(transaction, userId, account?.email ?? null);
    return { email: account?.email ?? null, orders: row?.kept ?? 0, ids: found.map(({ id }) => id) };
  });
  // An email being written now still names them.
  await settled();
  return { orders, mails: await removeMails(dataDir, email, ids) };
}
