import { randomUUID } from "node:crypto";
import type { Sql } from "../../database/sql.ts";
import type { Email } from "../../emails/mail-server.ts";
import { writeAccountNotice, writeChangeNotice, writePasswordNotice } from "./emails.ts";
import { dropLinks, makeLink } from "./links.ts";
import type { Context } from "./parts.ts";
import type { Task } from "./tasks.ts";
import { findByEmail, findById, isBanned, isTaken } from "./users.ts";

/*
 * Work done after the response, each task in one transaction. Except for the emails, the sender of the request sees
 * nothing of it.
 */

type SignUp = Extract<Task, { kind: "sign-up" }>;
type Work = Omit<Context, "tasks">;

async function insertUser(context: Work, sql: Sql, { email, passwordHash, data }: SignUp): Promise<string> {
  const id = randomUUID();
  await sql.query(
    `insert into auth.users (id, email, encrypted_password, raw_app_meta_data, raw_user_meta_data,
                             confirmation_sent_at, created_at, updated_at)
     values ($1::text::uuid, $2, $3, '{"provider": "email", "providers": ["email"]}', $4::text::jsonb,
             $5::text::timestamptz, $5::text::timestamptz, $5::text::timestamptz)`,
    [id, email, passwordHash, JSON.stringify(data), new Date(context.now()).toISOString()],
  );
  return id;
}

/**
 * A confirmed account stays unchanged. Two sign-ups with different passwords may be from two people, and all emails
 * go to one of them, so both passwords and details are discarded: every link then only confirms the address and leads
 * to choosing a new password.
 */
async function signUp(context: Work, sql: Sql, task: SignUp): Promise<Email[]> {
  const { email, passwordHash, redirectTo, sendsEmail } = task;
  const existing = await findByEmail(sql, email, "for update");
  if (existing && (existing.email_confirmed_at || isBanned(existing, context.now()))) return [];
  if (existing && existing.encrypted_password !== passwordHash) {
    await sql.query(
      `update auth.users set encrypted_password = null, raw_user_meta_data = '{}', updated_at = now()
       where id = $1::text::uuid`,
      [existing.id],
    );
  }
  const userId = existing?.id ?? (await insertUser(context, sql, task));
  return sendsEmail ? [await makeLink(context, sql, { kind: "signup", userId, email, redirectTo })] : [];
}

async function mailLink(
  context: Work,
  sql: Sql,
  { kind, email, redirectTo, sendsEmail }: Extract<Task, { kind: "resend" | "recover" }>,
): Promise<Email[]> {
  if (!sendsEmail) return [];
  const user = await findByEmail(sql, email, "for update");
  if (!user || isBanned(user, context.now()) || email.endsWith(".invalid")) return [];
  if (kind === "resend" && user.email_confirmed_at) return [];
  const column = kind === "resend" ? "confirmation_sent_at" : "recovery_sent_at";
  await sql.query(`update auth.users set ${column} = $2::text::timestamptz where id = $1::text::uuid`, [
    user.id,
    new Date(context.now()).toISOString(),
  ]);
  const link = {
    kind: kind === "resend" ? "signup" : "recovery",
    userId: user.id,
    email,
    redirectTo,
  } as const;
  return [await makeLink(context, sql, link)];
}

/**
 * The new address has to be confirmed, the current one is notified. Another customer's confirmed address gets
 * nothing.
 */
async function changeEmail(
  context: Work,
  sql: Sql,
  { userId, email, redirectTo }: Extract<Task, { kind: "change-email" }>,
): Promise<Email[]> {
  const user = await findById(sql, userId, "for update");
  if (!user?.email || user.email_change !== email) return [];
  await dropLinks(sql, userId, "email_change");
  const notice = await writeChangeNotice(context, user.email);
  const other = await findByEmail(sql, email);
  if (other && isTaken(other, context.now())) return [notice];
  return [notice, await makeLink(context, sql, { kind: "email_change", userId, email, redirectTo })];
}

async function tellPasswordChanged(
  context: Work,
  { email }: Extract<Task, { kind: "password-changed" }>,
): Promise<Email[]> {
  return email.endsWith(".invalid") ? [] : [await writePasswordNotice(context, email)];
}

async function emailOwner(
  context: Work,
  { email, ...notice }: Extract<Task, { kind: "account-notice" }>,
): Promise<Email[]> {
  return email.endsWith(".invalid") ? [] : [await writeAccountNotice(context, email, notice)];
}

export async function doTask(context: Work, sql: Sql, task: Task): Promise<Email[]> {
  if (task.kind === "sign-up") return signUp(context, sql, task);
  if (task.kind === "change-email") return changeEmail(context, sql, task);
  if (task.kind === "password-changed") return tellPasswordChanged(context, task);
  if (task.kind === "account-notice") return emailOwner(context, task);
  return mailLink(context, sql, task);
}
