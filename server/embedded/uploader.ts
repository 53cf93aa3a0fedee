import { bearerOf, claimsOf, findFault } from "./gaps/valid-bearer.ts";
import type { Secrets } from "./secrets.ts";
import type { Sql } from "./sql.ts";

/** As the storage says it itself, once it has taken the whole file in. */
const refused = () =>
  Response.json(
    { statusCode: "403", error: "Unauthorized", message: "new row violates row-level security policy" },
    { status: 400 },
  );

/**
 * Whether the sender of these headers may add a file: 204, or the refusal. The bucket's policies decide all the same; this
 * spares the memory that the files of everybody else would take until then.
 */
export async function answerUploader(request: Request, sql: Sql, secrets: Secrets): Promise<Response> {
  const token = bearerOf(request);
  if (token === secrets.secretKey) return new Response(null, { status: 204 });
  if (!token || findFault(token, secrets.jwtSecret, Date.now())) return refused();
  const admins = await sql.query(
    "select from public.user_roles where user_id::text = $1 and role = 'admin'",
    [String(claimsOf(token).sub)],
  );
  return admins.length > 0 ? new Response(null, { status: 204 }) : refused();
}
