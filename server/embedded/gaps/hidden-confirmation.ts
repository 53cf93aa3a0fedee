import { createRequire } from "node:module";
import { accountError, emailOf, type Gap, readFields } from "./gap.ts";

/** The library's own password hashing. */
const { compare } = createRequire(import.meta.resolve("@supabase/lite"))("bcryptjs") as {
  compare: (password: string, hash: string) => Promise<boolean>;
};

/**
 * The library says "Email not confirmed" before it looks at the password, which tells anybody who has begun to open
 * an account. As on a hosted project, only the right password is told so.
 */
export const hiddenConfirmation: Gap = async (exchange, next, { sql }) => {
  const { url, request } = exchange;
  if (url.pathname !== "/auth/v1/token") return next(exchange);
  const fields = await readFields(request);
  const answer = await next(exchange);
  if (answer.status !== 400) return answer;
  const { error_code: code } = (await answer.clone().json()) as { error_code?: string };
  if (code !== "email_not_confirmed") return answer;
  const [account] = await sql.query<{ hash: string }>(
    "select encrypted_password as hash from auth.users where email = $1",
    [emailOf(fields)],
  );
  const isRight = account ? await compare(String(fields.password), account.hash) : false;
  return isRight ? answer : accountError(400, "invalid_credentials", "Invalid login credentials");
};
