import { randomUUID } from "node:crypto";
import { plainEmail } from "../../lib/email-address.ts";
import { networkOf } from "../../lib/network.ts";
import { dataOf, textOf } from "./fields.ts";
import { networkHash } from "./known-networks.ts";
import { emailLimits, networkLimits } from "./limits.ts";
import { type Call, type Context, queueClient } from "./parts.ts";
import { checkNewPassword } from "./passwords.ts";
import { invalid, tooManyAttempts, tooManyEmails } from "./refusals.ts";
import { toUser } from "./users.ts";

/** The email address of a request's body in its normal form. */
function emailOf(fields: Record<string, unknown>): string {
  const typed = textOf(fields, "email");
  if (!typed) throw invalid("An email address is needed.");
  const email = plainEmail(typed);
  if (!email) throw invalid("Unable to validate email address: invalid format");
  return email;
}

/** The page to which the client wants a link to lead. */
export const redirectOf = ({ url }: Call) => url.searchParams.get("redirect_to");

/**
 * A response that looks like a new account: every sign-up gets it, so that it reveals nothing about an existing one.
 */
function newUser(email: string, data: Record<string, unknown>, nowMs: number) {
  const at = new Date(nowMs).toISOString();
  return toUser({
    id: randomUUID(),
    aud: null,
    role: null,
    email,
    encrypted_password: null,
    email_confirmed_at: null,
    confirmation_sent_at: at,
    recovery_sent_at: null,
    email_change: null,
    email_change_sent_at: null,
    last_sign_in_at: null,
    raw_app_meta_data: null,
    raw_user_meta_data: data,
    banned_until: null,
    deleted_at: null,
    created_at: at,
    updated_at: at,
  });
}

type Existing = { hash: string | null; isKnownNetwork: boolean };

/** What a sign-up's password is hashed with, in one query whether or not the account exists. */
async function findExisting({ sql }: Context, email: string, networkHash: string) {
  const [found] = await sql.query<Existing>(
    `select (select encrypted_password from auth.users where email = $1 and not is_sso_user) as hash,
            exists (select from private_shop.known_networks where network = $2) as "isKnownNetwork"`,
    [email, networkHash],
  );
  return found ?? { hash: null, isKnownNetwork: false };
}

/** POST /signup. The account is created after the response. */
export async function signUp(context: Context, call: Call): Promise<Response> {
  const { limits, passwords, connections, tasks, now } = context;
  const { fields } = call;
  const email = emailOf(fields);
  const password = textOf(fields, "password");
  if (!password) throw invalid("Signup requires a valid password");
  checkNewPassword(password);
  const data = dataOf(fields) ?? {};
  const network = networkOf(call.clientIp);
  const unknown = { ...queueClient(call), email };
  const { hash, isKnownNetwork } = await connections.run(unknown, async () => {
    const waitMs = await limits.waitMs(networkLimits("sign-ups", network));
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    return findExisting(context, email, networkHash(context, call));
  });
  const client = { ...unknown, isKnownNetwork };
  // With an account's own salt, a sign-in compares with the password of both in one go.
  const passwordHash = await passwords.hashFor(client, password, hash);
  // Counted last: a sign-up that was refused because the shop was busy uses up none of the address's emails.
  const emailWaitMs = await limits.waitMs(emailLimits("signup", email));
  await context.sql.query(
    `insert into private_shop.sign_ups (address, password_hash, signed_up_at) values ($1, $2, $3::text::timestamptz)
     on conflict (address) do update
       set password_hash = excluded.password_hash, signed_up_at = excluded.signed_up_at`,
    [limits.hash(email), passwordHash, new Date(now()).toISOString()],
  );
  await tasks.add({
    kind: "sign-up",
    email,
    passwordHash,
    data,
    redirectTo: redirectOf(call),
    sendsEmail: emailWaitMs === 0,
  });
  return Response.json(newUser(email, data, now()));
}

/** Whether the address has signed in from this network. There, other people's requests don't use up its emails. */
async function isKnown({ sql }: Context, email: string, networkHash: string): Promise<boolean> {
  const found = await sql.query(
    `select from private_shop.known_networks join auth.users on users.id = user_id
     where users.email = $1 and network = $2`,
    [email, networkHash],
  );
  return found.length > 0;
}

/**
 * POST /recover and POST /resend: one email if the address has an account. Above a network's limit only addresses
 * that are known there get one, and the response stays the same: a refusal to the others would reveal who has an
 * account.
 */
async function emailLink(context: Context, call: Call, kind: "recover" | "resend"): Promise<Response> {
  const { limits, tasks } = context;
  const email = emailOf(call.fields);
  const network = networkOf(call.clientIp);
  const isFamiliar = await isKnown(context, email, networkHash(context, call));
  // Counted in any case, and separately for known addresses: one query fewer would show in the response time.
  const limited = network && isFamiliar ? `${network} ${email}` : network;
  const waitMs = await limits.waitMs(networkLimits("emails", limited));
  const of = kind === "resend" ? "signup" : "recovery";
  // A request that sends nothing uses up none of the address's emails, but is refused as if it did.
  const here = emailLimits(of, `${email} ${network ?? "here"}`);
  const emailWaitMs = await limits.waitMs(waitMs > 0 ? here : [...here, ...emailLimits(of, email)]);
  if (emailWaitMs > 0) throw tooManyEmails(emailWaitMs);
  await tasks.add({ kind, email, redirectTo: redirectOf(call), sendsEmail: waitMs === 0 });
  return Response.json({});
}

export const recover = (context: Context, call: Call) => emailLink(context, call, "recover");

export async function resend(context: Context, call: Call): Promise<Response> {
  if (textOf(call.fields, "type") !== "signup") throw invalid('The type must be "signup".');
  return emailLink(context, call, "resend");
}
