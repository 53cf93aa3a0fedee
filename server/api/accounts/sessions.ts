import { randomUUID } from "node:crypto";
import type { Sql } from "../../database/sql.ts";
import { audience, issuerOf } from "../caller.ts";
import type { Context } from "./parts.ts";
import { randomToken, signToken } from "./tokens.ts";
import { toUser, type UserRow } from "./users.ts";

/** A session's access token is valid for an hour, as on a hosted project. */
const tokenSeconds = 3600;

export type Way = "password" | "otp";

/** The session as the client stores it. */
export type Session = ReturnType<typeof describeSession>;

export function describeSession(
  context: Context,
  row: UserRow,
  { id, refreshToken, way }: { id: string; refreshToken: string; way: Way },
) {
  const user = toUser(row);
  const issuedAt = Math.floor(context.now() / 1000);
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
    aal: "aal1",
    amr: [{ method: way, timestamp: issuedAt }],
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

/** Opens a session in the caller's transaction. */
export async function openSession(context: Context, sql: Sql, userId: string, way: Way): Promise<Session> {
  const at = new Date(context.now()).toISOString();
  const id = randomUUID();
  const [signedIn] = await sql.query<{ row: UserRow }>(
    `update auth.users set last_sign_in_at = $2::text::timestamptz where id = $1::text::uuid
     returning to_jsonb(users) as row`,
    [userId, at],
  );
  if (!signedIn) throw new Error("The account is gone");
  await sql.query(
    `insert into auth.sessions (id, user_id, aal, created_at, updated_at)
     values ($1::text::uuid, $2::text::uuid, 'aal1', $3::text::timestamptz, $3::text::timestamptz)`,
    [id, userId, at],
  );
  const refreshToken = await addRefreshToken(sql, { id, userId, parent: null, at });
  return describeSession(context, signedIn.row, { id, refreshToken, way });
}

/** Ends the sessions of an account: all of them, or all but one. */
export async function endSessions(sql: Sql, userId: string, remaining: string | null = null): Promise<void> {
  await sql.query(
    "delete from auth.sessions where user_id = $1::text::uuid and id is distinct from $2::text::uuid",
    [userId, remaining],
  );
}
