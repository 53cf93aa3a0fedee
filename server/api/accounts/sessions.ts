import { randomUUID } from "node:crypto";
import type { Sql } from "../../database/sql.ts";
import { audience, issuerOf } from "../caller.ts";
import { agentOf, noteDevice } from "./devices.ts";
import type { Call, Context } from "./parts.ts";
import { randomToken, signToken } from "./tokens.ts";
import { describeUser, type UserRow } from "./users.ts";

/** A session's access token is valid for an hour, as on a hosted project. */
const tokenSeconds = 3600;

export type Way = "password" | "otp" | "totp" | "recovery_code";

/** The session as the client stores it. */
export type Session = Awaited<ReturnType<typeof describeSession>>;

type State = {
  aal: "aal1" | "aal2";
  /** How the user signed in, the latest first; empty for sessions from before an upgrade. */
  ways: { method: Way; timestamp: number }[];
};

/** Records how a session's user signed in, in the caller's transaction. */
export async function noteWay(sql: Sql, id: string, way: Way, at: string): Promise<void> {
  await sql.query(
    `insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
     values ($1::text::uuid, $2, $3::text::timestamptz, $3::text::timestamptz)
     on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`,
    [id, way, at],
  );
}

export async function describeSession(
  context: Context,
  sql: Sql,
  row: UserRow,
  { id, refreshToken }: { id: string; refreshToken: string },
) {
  const [state] = await sql.query<State>(
    `select coalesce(aal, 'aal1') as aal,
            (select coalesce(jsonb_agg(jsonb_build_object('method', authentication_method,
                                         'timestamp', floor(extract(epoch from updated_at))::bigint) order by updated_at desc), '[]')
               from auth.mfa_amr_claims where session_id = sessions.id) as ways
     from auth.sessions where id = $1::text::uuid`,
    [id],
  );
  const user = await describeUser(sql, row);
  const issuedAt = Math.floor(context.now() / 1000);
  const { aal = "aal1", ways = [] } = state ?? {};
  const claims = {
    iss: issuerOf(context.siteUrl),
    sub: user.id,
    aud: audience,
    exp: issuedAt + tokenSeconds,
    iat: issuedAt,
    email: user.email,
    phone: "",
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    role: user.role,
    aal,
    amr: ways.length > 0 ? ways : [{ method: "password", timestamp: issuedAt }],
    session_id: id,
    is_anonymous: false,
  };
  return {
    access_token: signToken(claims, context.secrets.jwtSecret),
    token_type: "bearer",
    expires_in: tokenSeconds,
    expires_at: claims.exp,
    refresh_token: refreshToken,
    user,
  };
}

/** Adds a refresh token to a session; `parent` is the one it replaces. */
export async function addRefreshToken(
  sql: Sql,
  { id, userId, parent, at }: { id: string; userId: string; parent: string | null; at: string },
): Promise<string> {
  const token = randomToken();
  await sql.query(
    `insert into auth.refresh_tokens (id, token, user_id, session_id, parent, created_at, updated_at)
     values ($1, $2, $3::text::uuid, $4::text::uuid, $5, $6::text::timestamptz, $6::text::timestamptz)`,
    [randomUUID(), token, userId, id, parent, at],
  );
  return token;
}

/** Opens a session in the caller's transaction, for an authenticated request. */
export async function openSession(
  context: Context,
  sql: Sql,
  userId: string,
  way: "password" | "otp",
  call: Call,
): Promise<Session> {
  const at = new Date(context.now()).toISOString();
  const id = randomUUID();
  const [signedIn] = await sql.query<{ row: UserRow }>(
    `update auth.users set last_sign_in_at = $2::text::timestamptz where id = $1::text::uuid
     returning to_jsonb(users) as row`,
    [userId, at],
  );
  if (!signedIn) throw new Error("The account is gone");
  await sql.query(
    `insert into auth.sessions (id, user_id, aal, user_agent, created_at, updated_at)
     values ($1::text::uuid, $2::text::uuid, 'aal1', $4, $3::text::timestamptz, $3::text::timestamptz)`,
    [id, userId, at, agentOf(call)],
  );
  await noteWay(sql, id, way, at);
  // Whoever opened a link owns the mailbox, so an email there would tell nobody else.
  if (way === "password") await noteDevice(context, sql, signedIn.row, call);
  const refreshToken = await addRefreshToken(sql, { id, userId, parent: null, at });
  return describeSession(context, sql, signedIn.row, { id, refreshToken });
}

/** Ends the sessions of an account: all of them, or all but one. */
export async function endSessions(sql: Sql, userId: string, remaining: string | null = null): Promise<void> {
  await sql.query(
    "delete from auth.sessions where user_id = $1::text::uuid and id is distinct from $2::text::uuid",
    [userId, remaining],
  );
}
