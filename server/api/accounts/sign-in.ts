import { plainEmail } from "../../lib/email-address.ts";
import { networkOf } from "../../lib/network.ts";
import { Refusal } from "../../lib/refusal.ts";
import { isBusy } from "./account-queue.ts";
import { textOf } from "./fields.ts";
import { networkHash, rememberNetwork } from "./known-networks.ts";
import { pairKey, signInLimits } from "./limits.ts";
import { type Call, type Context, queueClient } from "./parts.ts";
import { invalid, invalidCredentials, tooManyAttempts } from "./refusals.ts";
import { openSession } from "./sessions.ts";
import type { createSignInThrottle } from "./sign-in-throttle.ts";
import { findById, isBanned, type UserRow } from "./users.ts";

type Found = {
  row: UserRow | null;
  isKnownHere: boolean;
  /** Whether anyone has signed in from this network before. */
  isKnownNetwork: boolean;
  /** The password of a sign-up that was not confirmed, whether or not the address has an account. */
  signUpHash: string | null;
};

/** Everything that a sign-in needs, in one query whether or not the account exists. */
async function find(context: Context, email: string, networkHash: string): Promise<Found> {
  const [found] = await context.sql.query<Found>(
    `select to_jsonb(users) as row,
            exists (select from private_shop.known_networks where user_id = users.id and network = $2) as "isKnownHere",
            exists (select from private_shop.known_networks where network = $2) as "isKnownNetwork",
            (select password_hash from private_shop.sign_ups where address = $3) as "signUpHash"
     from (select) as one left join auth.users on email = $1 and not is_sso_user`,
    [email, networkHash, context.limits.hash(email)],
  );
  return found ?? { row: null, isKnownHere: false, isKnownNetwork: false, signUpHash: null };
}

/** POST /token?grant_type=password. Neither the message nor the time reveals whether the account exists. */
export function createSignIn(context: Context, throttle: ReturnType<typeof createSignInThrottle>) {
  const { limits, passwords, connections, now } = context;
  return async (call: Call): Promise<Response> => {
    const { fields, clientIp, request } = call;
    const typed = textOf(fields, "email");
    const password = textOf(fields, "password");
    if (!typed || !password) throw invalid("An email address and a password are needed.");
    const email = plainEmail(typed) ?? typed.trim().toLowerCase();
    const network = networkOf(clientIp);
    const hash = networkHash(context, call);
    const counted = signInLimits(email, network);
    const unknown = { ...queueClient(call), email };
    const { waitMs, row, isKnownHere, isKnownNetwork, signUpHash } = await connections.run(
      unknown,
      async () => ({
        ...(await find(context, email, hash)),
        waitMs: await limits.waitMs(counted),
      }),
    );
    const isConfirmed = Boolean(row?.email_confirmed_at);
    const current = isConfirmed ? (row?.encrypted_password ?? null) : null;
    const pending = signUpHash ?? (isConfirmed ? null : (row?.encrypted_password ?? null));
    const client = { ...unknown, isKnownNetwork };
    // Both have the same salt (see sign-up.ts), so one hash is compared with both.
    const check = (waiter = client) => passwords.check(waiter, password, current ?? pending);
    /** The same client with a new 10 seconds. */
    const renewed = () => ({ ...client, sinceMs: performance.now() });
    const isPassword = await (waitMs === 0
      ? check().catch(async (error) => {
          // A password that wasn't compared doesn't count as a guess.
          if (isBusy(error) && !request.signal.aborted)
            await connections.run(renewed(), () => limits.takeBack(counted));
          throw error;
        })
      : // An attacker who guesses here neither locks the customer out nor learns from the response that they have an account.
        throttle(
          pairKey(email, network),
          request.signal,
          isKnownHere ? () => check(renewed()) : async () => () => false,
        ));
    const isRight = isPassword(current);
    if (waitMs > 0 && !isRight) throw tooManyAttempts(waitMs);
    if (!isRight && !isPassword(pending)) throw invalidCredentials();
    // Anyone can submit a sign-up, so its password doesn't reset the counter.
    if (isRight) await limits.forget(pairKey(email, network));
    if (isRight && waitMs === 0) await limits.takeBack(counted.slice(1));
    if (!isRight || !row) throw new Refusal(400, "email_not_confirmed", "Email not confirmed");
    if (isBanned(row, now())) throw new Refusal(400, "user_banned", "User is banned");
    const session = await context.sql.transaction(async (sql) => {
      // A new password may have been set while this one was compared: it shuts the old one out from then on.
      const locked = await findById(sql, row.id, "for update");
      if (locked?.encrypted_password !== row.encrypted_password) throw invalidCredentials();
      await rememberNetwork(context, sql, row.id, hash);
      return openSession(context, sql, row.id, "password", call);
    });
    context.tasks.soon();
    return Response.json(session);
  };
}
