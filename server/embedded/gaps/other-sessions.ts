import type { Gap } from "./gap.ts";
import { readFields } from "./gap.ts";

/** The claims of a token that the library has just accepted. */
function claimsOf(request: Request): { session_id?: string } {
  const token = request.headers.get("authorization")?.split(".")[1] ?? "";
  return JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
}

/**
 * A new password ends all other sessions, as on a hosted project: whoever changes it because somebody else knows the
 * old one would otherwise keep that somebody signed in.
 */
export const otherSessions: Gap = async (exchange, next, { sql }) => {
  const { request, url } = exchange;
  const changesPassword =
    request.method === "PUT" &&
    url.pathname === "/auth/v1/user" &&
    (await readFields(request)).password !== undefined;
  const answer = await next(exchange);
  if (changesPassword && answer.ok) {
    const { id } = (await answer.clone().json()) as { id: string };
    await sql.query("delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid", [
      id,
      claimsOf(request).session_id ?? null,
    ]);
  }
  return answer;
};
