import type { Gap } from "./gap.ts";
import { readFields } from "./gap.ts";
import { bearerOf, claimsOf } from "./valid-bearer.ts";

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
      claimsOf(bearerOf(request) ?? "").session_id ?? null,
    ]);
  }
  return answer;
};
