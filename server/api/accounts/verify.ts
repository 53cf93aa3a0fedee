import type { Sql } from "../../database/sql.ts";
import { Refusal } from "../../lib/refusal.ts";
import { confirmPage } from "./confirm-page.ts";
import { isForm, textOf } from "./fields.ts";
import { networkHash, rememberNetwork } from "./known-networks.ts";
import { dropLinks, findLink, type Link, type LinkKind, linkKinds, takeLink } from "./links.ts";
import type { Call, Context } from "./parts.ts";
import { allowedRedirect } from "./redirects.ts";
import { openSession, type Session } from "./sessions.ts";
import { findByEmail, findById, isBanned, isTaken } from "./users.ts";

const expired = () => new Refusal(403, "otp_expired", "Email link is invalid or has expired");

/** Confirming an address through a password email discards what was typed at sign-up: it may be someone else's. */
async function confirmAddress(sql: Sql, userId: string, keepsSignUp: boolean): Promise<void> {
  await sql.query(
    `update auth.users
     set email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(), confirmation_token = null,
         encrypted_password = case when $2::boolean or email_confirmed_at is not null then encrypted_password end,
         raw_user_meta_data = case when $2::boolean or email_confirmed_at is not null then raw_user_meta_data else '{}' end
     where id = $1::text::uuid`,
    [userId, keepsSignUp],
  );
}

/**
 * False when the address has since become another customer's, or the change was taken back. A sign-up there is
 * removed.
 */
async function moveAddress({ now }: Context, sql: Sql, { userId, email }: Link): Promise<boolean> {
  const [user, other] = [await findById(sql, userId), await findByEmail(sql, email, "for update")];
  if (user?.email_change !== email) return false;
  if (other && other.id !== userId) {
    if (isTaken(other, now())) return false;
    await sql.query("delete from auth.users where id = $1::text::uuid", [other.id]);
  }
  await sql.query(
    `update auth.users
     set email = $2, email_change = null, email_confirmed_at = now(), updated_at = now()
     where id = $1::text::uuid`,
    [userId, email],
  );
  return true;
}

/** Two people signed up with this address: the one who reads its emails chooses the password. */
async function needsPassword(sql: Sql, { kind, userId }: Link): Promise<boolean> {
  return kind === "signup" && !(await findById(sql, userId))?.encrypted_password;
}

type Proof = { session: Session; kind: LinkKind };

/** Uses up a link and signs in to its account; null when it is no longer valid. */
async function prove(context: Context, call: Call, kind: LinkKind, token: string): Promise<Proof | null> {
  return context.sql.transaction(async (sql) => {
    const found = await findLink({ ...context, sql }, kind, token);
    // Locked before the link, in the same order as setting a new password, which invalidates links.
    const user = found && (await findById(sql, found.userId, "for update"));
    const link = user && (await takeLink(context, sql, kind, token));
    if (!link || isBanned(user, context.now())) return null;
    const choosesPassword = await needsPassword(sql, link);
    if (kind === "email_change") {
      if (!(await moveAddress(context, sql, link))) return null;
    } else {
      if (link.email !== user.email) return null;
      await confirmAddress(sql, user.id, kind === "signup");
    }
    await dropLinks(sql, user.id);
    await sql.query("delete from private_shop.sign_ups where address = $1", [
      context.limits.hash(link.email),
    ]);
    // After guesses from everywhere, a new password lets its owner in where they have never signed in before.
    await rememberNetwork(context, sql, user.id, networkHash(context, call));
    const session = await openSession(context, sql, user.id, "otp", call);
    return { session, kind: choosesPassword ? "recovery" : kind };
  });
}

/** Redirects as a hosted project does: the outcome is in the fragment, which no server sees. */
function leadOn(target: string, fragment: Record<string, string>): Response {
  const location = new URL(target);
  location.hash = new URLSearchParams(fragment).toString();
  return new Response(null, { status: 303, headers: { location: location.href } });
}

const failed = (target: string) =>
  leadOn(target, {
    error: "access_denied",
    error_code: "otp_expired",
    error_description: "Email link is invalid or has expired",
  });

function succeeded(target: string, { session, kind }: Proof): Response {
  return leadOn(target, {
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: session.refresh_token,
    token_type: session.token_type,
    type: kind,
  });
}

function readKind(type: string | null | undefined): LinkKind | null {
  return linkKinds.find((kind) => kind === type) ?? (type === "email" ? "signup" : null);
}

/**
 * GET /verify, where an email's link leads: a page with a button. Programs that scan links in emails click no
 * buttons, so the link still works for its recipient.
 */
export async function showLink(context: Context, { url }: Call): Promise<Response> {
  const kind = readKind(url.searchParams.get("type"));
  const token = url.searchParams.get("token") ?? "";
  const link = kind && (await findLink(context, kind, token));
  if (!link) return failed(allowedRedirect(context.siteUrl, url.searchParams.get("redirect_to"), "/"));
  const { name } = await context.readShop();
  return confirmPage((await needsPassword(context.sql, link)) ? "contested" : link.kind, url, name);
}

/** POST /verify: the button of that page, or a client of the API, which gets the session itself. */
export async function followLink(context: Context, call: Call): Promise<Response> {
  const { request, url, fields } = call;
  if (!isForm(request)) {
    const kind = readKind(textOf(fields, "type"));
    const token = textOf(fields, "token_hash") ?? textOf(fields, "token");
    const proof = kind && token ? await prove(context, call, kind, token) : null;
    if (!proof) throw expired();
    return Response.json(proof.session);
  }
  // Another site's form could sign its visitors in to an account of its choice.
  const from = request.headers.get("sec-fetch-site");
  if (from && from !== "same-origin" && from !== "none")
    throw new Refusal(403, "cross_site_request", "Open the link in your email again.");
  const target = allowedRedirect(context.siteUrl, url.searchParams.get("redirect_to"), "/");
  const kind = readKind(url.searchParams.get("type"));
  const proof = kind && (await prove(context, call, kind, url.searchParams.get("token") ?? ""));
  if (!proof) return failed(target);
  const chooses = proof.kind === "recovery" && kind === "signup";
  return succeeded(chooses ? new URL("/auth/reset", context.siteUrl).href : target, proof);
}
