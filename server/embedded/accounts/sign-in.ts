import { plainEmail } from "../../shared/email-address.ts";
import { networkOf } from "../../shared/network.ts";
import { AccountError, invalid, invalidCredentials, tooManyAttempts } from "./answers.ts";
import { textOf } from "./fields.ts";
import { pairKey, signInLimits } from "./limits.ts";
import type { Call, Context } from "./parts.ts";
import { openSession } from "./sessions.ts";
import type { createSlowLane } from "./slow-lane.ts";
import { findById, isBanned, type UserRow } from "./users.ts";

type Found = {
  row: UserRow | null;
  isKnownHere: boolean;
  /** The password of a sign-up that was not confirmed, whether or not the address has an account. */
  signUpHash: string | null;
};

/** Everything that a sign-in needs, in one query whether or not the account exists. */
async function find(context: Context, email: string, place: string): Promise<Found> {
  const [found] = await context.sql.query<Found>(
    `select to_jsonb(users) as row,
            exists (select from private_shop.known_places where user_id = users.id and place = $2) as "isKnownHere",
            (select password_hash from private_shop.sign_ups where address = $3) as "signUpHash"
     from (select) as one left join auth.users on email = $1 and not is_sso_user`,
    [email, place, context.limits.hash(email)],
  );
  return found ?? { row: null, isKnownHere: false, signUpHash: null };
}

/** POST /token?grant_type=password. Neither the message nor the time reveals whether the account exists. */
export function createSignIn(context: Context, slowLane: ReturnType<typeof createSlowLane>) {
  const { limits, passwords, now } = context;
  return async ({ fields, clientIp }: Call): Promise<Response> => {
    const typed = textOf(fields, "email");
    const password = textOf(fields, "password");
    if (!typed || !password) throw invalid("An email address and a password are needed.");
    const email = plainEmail(typed) ?? typed.trim().toLowerCase();
    const network = networkOf(clientIp);
    const place = limits.hash(`place ${network ?? "here"}`);
    const { row, isKnownHere, signUpHash } = await find(context, email, place);
    const isConfirmed = Boolean(row?.email_confirmed_at);
    const counted = signInLimits(email, network);
    const compare = () => passwords.matches(password, isConfirmed ? (row?.encrypted_password ?? null) : null);
    const waitMs = await limits.waitMs(counted);
    // An attacker who guesses here neither locks the customer out nor learns from the response that they have an account.
    const isRight = await (waitMs === 0
      ? compare()
      : slowLane(pairKey(email, network), isKnownHere ? compare : async () => false));
    if (waitMs > 0 && !isRight) throw tooManyAttempts(waitMs);
    const pending = signUpHash ?? (isConfirmed ? null : (row?.encrypted_password ?? null));
    // Always compared: the time must not reveal that a sign-up has begun.
    const isPending = !isRight && (await passwords.matches(password, pending));
    if (!isRight && !isPending) throw invalidCredentials();
    // Anyone can file a sign-up, so its password clears no count.
    if (isRight) await limits.forget(pairKey(email, network));
    if (isRight && waitMs === 0) await limits.takeBack(counted.slice(1));
    if (isPending || !row) throw new AccountError(400, "email_not_confirmed", "Email not confirmed");
    if (isBanned(row, now())) throw new AccountError(400, "user_banned", "User is banned");
    const session = await context.sql.transaction(async (sql) => {
      // A new password may have been set while this one was compared: it shuts the old one out from then on.
      const current = await findById(sql, row.id, "for update");
      if (current?.encrypted_password !== row.encrypted_password) throw invalidCredentials();
      await sql.query(
        `insert into private_shop.known_places (user_id, place, seen_at)
         values ($1::text::uuid, $2, $3::text::timestamptz)
         on conflict (user_id, place) do update set seen_at = excluded.seen_at`,
        [row.id, place, new Date(now()).toISOString()],
      );
      return openSession(context, sql, row.id, "password");
    });
    return Response.json(session);
  };
}
