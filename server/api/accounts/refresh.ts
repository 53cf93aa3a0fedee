import { Refusal } from "../../lib/refusal.ts";
import { textOf } from "./fields.ts";
import type { Call, Context } from "./parts.ts";
import { invalid } from "./refusals.ts";
import { addRefreshToken, describeSession, type Session } from "./sessions.ts";
import { findById, isBanned } from "./users.ts";

/**
 * A token that was just used still returns its replacement: there may be two tabs, or a lost response. Longer than
 * supabase-js keeps retrying.
 */
const graceMs = 30_000;

type Spent = { user_id: string; session_id: string; revoked: boolean; spentMs: number };

const notFound = () =>
  new Refusal(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");

const alreadyUsed = () =>
  new Refusal(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");

/** POST /token?grant_type=refresh_token. Every token is replaced once, however many requests arrive together. */
export async function refresh(context: Context, { fields }: Call): Promise<Response> {
  const token = textOf(fields, "refresh_token");
  if (!token) throw invalid("refresh_token is needed.");
  const outcome = await context.sql.transaction(async (sql): Promise<Session | Refusal> => {
    // The session is locked, not the token: all tokens of one chain wait for one another.
    const [locked] = await sql.query<{ id: string }>(
      `select id from auth.sessions
       where id = (select session_id from auth.refresh_tokens where token = $1) for update`,
      [token],
    );
    const [found] = locked
      ? await sql.query<Spent>(
          `select user_id, session_id, revoked, (extract(epoch from updated_at) * 1000)::float8 as "spentMs"
           from auth.refresh_tokens where token = $1`,
          [token],
        )
      : [];
    const user = found ? await findById(sql, found.user_id) : null;
    if (!found || !user) return notFound();
    if (isBanned(user, context.now())) return new Refusal(400, "user_banned", "User is banned");
    const { session_id: id } = found;
    const at = new Date(context.now()).toISOString();
    if (found.revoked) {
      const [successor] = await sql.query<{ token: string }>(
        "select token from auth.refresh_tokens where session_id = $1::text::uuid and parent = $2 and not revoked",
        [id, token],
      );
      if (successor && context.now() - found.spentMs <= graceMs)
        return describeSession(context, sql, user, { id, refreshToken: successor.token });
      // An attacker may have this token: both chains end.
      await sql.query("delete from auth.sessions where id = $1::text::uuid", [id]);
      return alreadyUsed();
    }
    await sql.query(
      "update auth.refresh_tokens set revoked = true, updated_at = $2::text::timestamptz where token = $1",
      [token, at],
    );
    await sql.query(
      "update auth.sessions set refreshed_at = $2::text::timestamptz at time zone 'UTC', updated_at = $2::text::timestamptz where id = $1::text::uuid",
      [id, at],
    );
    const refreshToken = await addRefreshToken(sql, { id, userId: user.id, parent: token, at });
    return describeSession(context, sql, user, { id, refreshToken });
  });
  if (outcome instanceof Refusal) throw outcome;
  return Response.json(outcome);
}
