import { isUuid } from "#shared/text/uuid.ts";
import { Refusal } from "../../lib/refusal.ts";
import { bearerOf, issuerOf, verifyToken } from "../caller.ts";
import type { Call, Context } from "./parts.ts";
import { isBanned, type UserRow } from "./users.ts";

export const noSession = () =>
  new Refusal(403, "session_not_found", "Session from session_id claim in JWT does not exist");

/** `level` is 'aal2' once the second step has been taken: by this token, and not taken back since. */
export type OpenSession = { user: UserRow; sessionId: string; level: "aal1" | "aal2" };

/**
 * The account and session that a request's token names.
 * @throws Refusal when there is none, or it has ended
 */
export async function requireSession(
  { sql, secrets, siteUrl, now }: Context,
  { request }: Call,
): Promise<OpenSession> {
  const token = bearerOf(request.headers);
  if (!token || token.startsWith("sb_"))
    throw new Refusal(401, "no_authorization", "This endpoint requires a valid Bearer token");
  const verified = verifyToken(token, { ...secrets, issuer: issuerOf(siteUrl) }, now());
  if ("fault" in verified) throw new Refusal(403, "bad_jwt", `invalid JWT: ${verified.fault.message}`);
  const { sub, session_id: sessionId } = verified.claims;
  const [found] = [sub, sessionId].every((id) => isUuid(String(id)))
    ? await sql.query<{ row: UserRow; aal: string | null }>(
        `select to_jsonb(users) as row, sessions.aal from auth.users
         join auth.sessions on sessions.id = $2::text::uuid and sessions.user_id = users.id
         where users.id = $1::text::uuid`,
        [sub, sessionId],
      )
    : [];
  if (!found) throw noSession();
  if (isBanned(found.row, now())) throw new Refusal(403, "user_banned", "User is banned");
  const level = verified.claims.aal === "aal2" && found.aal === "aal2" ? "aal2" : "aal1";
  return { user: found.row, sessionId: String(sessionId), level };
}
