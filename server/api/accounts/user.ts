import type { Sql } from "../../database/sql.ts";
import { plainEmail } from "../../lib/email-address.ts";
import { Refusal } from "../../lib/refusal.ts";
import { noSession, requireSession } from "./bearer.ts";
import { dataOf, textOf } from "./fields.ts";
import { emailLimits } from "./limits.ts";
import { type Call, type Context, queueClient } from "./parts.ts";
import { checkNewPassword } from "./passwords.ts";
import { invalid, tooManyEmails } from "./refusals.ts";
import { requireStepIfSetUp } from "./second-step.ts";
import { endSessions } from "./sessions.ts";
import { setPassword } from "./set-password.ts";
import { redirectOf } from "./sign-up.ts";
import { describeUser, findById, type UserRow } from "./users.ts";

/** GET /user */
export async function showUser(context: Context, call: Call): Promise<Response> {
  const { user } = await requireSession(context, call);
  return Response.json(await describeUser(context.sql, user));
}

type Change = {
  password: string | null;
  email: string | null;
  data: Record<string, unknown> | null;
};

function readChange({ fields }: Call, user: UserRow): Change {
  const password = textOf(fields, "password") ?? null;
  const typed = textOf(fields, "email");
  const email = typed === undefined ? null : plainEmail(typed);
  if (password !== null) checkNewPassword(password);
  if (typed !== undefined && !email) throw invalid("Unable to validate email address: invalid format");
  return { password, email: email === user.email ? null : email, data: dataOf(fields) ?? null };
}

async function hashNewPassword({ passwords }: Context, call: Call, user: UserRow, password: string) {
  // Someone is signed in there now.
  const client = { ...queueClient(call), email: user.email ?? user.id, isKnownNetwork: true };
  const isPassword = await passwords.check(client, password, user.encrypted_password);
  if (isPassword(user.encrypted_password))
    throw new Refusal(422, "same_password", "New password should be different from the old password.");
  return passwords.hashFor(client, password);
}

async function save(sql: Sql, user: UserRow, { email, data }: Change): Promise<void> {
  const merged =
    data &&
    Object.fromEntries(
      Object.entries({ ...user.raw_user_meta_data, ...data }).filter(([, value]) => value !== null),
    );
  await sql.query(
    `update auth.users
     set raw_user_meta_data = coalesce($2::text::jsonb, raw_user_meta_data),
         email_change = coalesce($3, email_change),
         email_change_sent_at = case when $3::text is null then email_change_sent_at else now() end,
         updated_at = now()
     where id = $1::text::uuid`,
    [user.id, merged && JSON.stringify(merged), email],
  );
}

/**
 * The account, locked in the caller's transaction; a new password may have ended the session since the request began.
 */
async function lockOpen(sql: Sql, userId: string, sessionId: string): Promise<UserRow> {
  const user = await findById(sql, userId, "for update");
  const open = await sql.query("select from auth.sessions where id = $1::text::uuid", [sessionId]);
  if (!user || open.length === 0) throw noSession();
  return user;
}

/**
 * PUT /user: a new password ends the account's other sessions, and links emailed before become invalid. A new address
 * changes nothing until it is confirmed. The response does not reveal whether it has an account.
 */
export async function changeUser(context: Context, call: Call): Promise<Response> {
  const session = await requireSession(context, call);
  const { user, sessionId } = session;
  const change = readChange(call, user);
  const { password, email } = change;
  if (password !== null || email) await requireStepIfSetUp(context, session);
  const hash = password === null ? null : await hashNewPassword(context, call, user, password);
  if (email) {
    const both = [...emailLimits("email_change", email), ...emailLimits("email_change", `of ${user.id}`)];
    const waitMs = await context.limits.waitMs(both);
    if (waitMs > 0) throw tooManyEmails(waitMs);
  }
  const changed = await context.sql.transaction(async (sql) => {
    const current = await lockOpen(sql, user.id, sessionId);
    if (hash) await setPassword(sql, user.id, hash, sessionId);
    await save(sql, current, change);
    return findById(sql, user.id);
  });
  if (hash) context.tasks.soon();
  if (email)
    await context.tasks.add({ kind: "change-email", userId: user.id, email, redirectTo: redirectOf(call) });
  return Response.json(await describeUser(context.sql, changed ?? user));
}

/** POST /logout: ends this session, the others, or (the default, as on a hosted project) all. */
export async function logOut(context: Context, call: Call): Promise<Response> {
  const { user, sessionId } = await requireSession(context, call);
  const scope = call.url.searchParams.get("scope") ?? "global";
  if (!["local", "others", "global"].includes(scope))
    throw invalid("The scope must be global, local or others.");
  if (scope === "local")
    await context.sql.query("delete from auth.sessions where id = $1::text::uuid", [sessionId]);
  else await endSessions(context.sql, user.id, scope === "others" ? sessionId : null);
  return new Response(null, { status: 204 });
}
