import { createHash, randomInt, randomUUID } from "node:crypto";
import { accountError, type Backstage, emailOf, type Gap, readFields } from "./gap.ts";

/*
 * A second sign-up with a known address, and asking for the mail again, answer 429 for ever in the library. As on a
 * hosted project: an address without confirmation gets a new mail, a confirmed one gets none, and the answer looks
 * the same as for a new account, so that it tells nobody who is a customer.
 */

type Known = { id: string; confirmed: boolean };

async function findAccount(backstage: Backstage, email: string): Promise<Known | undefined> {
  const [known] = await backstage.sql.query<Known>(
    "select id, email_confirmed_at is not null as confirmed from auth.users where email = $1",
    [email],
  );
  return known;
}

/** Replaces the link of an unconfirmed account and sends the new one, as the library makes them. */
async function sendAgain(backstage: Backstage, email: string, id: string): Promise<void> {
  const code = Array.from({ length: 32 }, () => randomInt(10)).join("");
  const tokenHash = createHash("sha256")
    .update(email + code)
    .digest("hex");
  await backstage.sql.query(
    "update auth.users set confirmation_token = $1, confirmation_sent_at = now(), updated_at = now() where id = $2",
    [tokenHash, id],
  );
  await backstage.sendConfirmation(email, tokenHash);
}

/** What a new account's answer looks like, with nothing of the account that exists. */
export function lookAlike(email: string, data: unknown, nowMs: number): Response {
  const at = new Date(nowMs).toISOString();
  const id = randomUUID();
  const typed = typeof data === "object" && data !== null ? data : {};
  return Response.json({
    id,
    aud: "authenticated",
    role: "authenticated",
    email,
    phone: "",
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: { ...typed, email, email_verified: false, phone_verified: false, sub: id },
    identities: [],
    created_at: at,
    updated_at: at,
    confirmation_sent_at: at,
    is_anonymous: false,
  });
}

/** The library has checked address and password by the time it says 429. */
export const repeatedSignUp: Gap = async (exchange, next, backstage) => {
  const isSignUp = exchange.url.pathname === "/auth/v1/signup" && exchange.request.method === "POST";
  if (!isSignUp) return next(exchange);
  const fields = await readFields(exchange.request);
  const answer = await next(exchange);
  const email = emailOf(fields);
  if (answer.status !== 429) return answer;
  const known = await findAccount(backstage, email);
  if (known && !known.confirmed) await sendAgain(backstage, email, known.id);
  return lookAlike(email, fields.data, backstage.now());
};

export const mailAgain: Gap = async (exchange, next, backstage) => {
  if (exchange.url.pathname !== "/auth/v1/resend" || exchange.request.method !== "POST")
    return next(exchange);
  const fields = await readFields(exchange.request);
  const email = emailOf(fields);
  if (fields.type !== "signup") return next(exchange);
  if (!email) return accountError(400, "validation_failed", "Type provided requires an email address");
  const known = await findAccount(backstage, email);
  if (known && !known.confirmed) await sendAgain(backstage, email, known.id);
  return Response.json({});
};
