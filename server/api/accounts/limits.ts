import { createHmac } from "node:crypto";
import type { Sql } from "../../database/sql.ts";

const minute = 60_000;

/** A number of attempts per window; `key` identifies who makes them. */
export type Limit = { key: string; most: number; windowMs: number };

/*
 * A school sits behind one address, so limits per network are wide, and the narrow ones count one account from one
 * network: an attacker who guesses a password locks out neither colleagues nor the account's owner elsewhere.
 */

/** The limits of a password sign-in, the same for every account and network. */
export function signInLimits(email: string, network: string | null): Limit[] {
  const pair = { key: pairKey(email, network), most: 10, windowMs: 5 * minute };
  const account = { key: `sign-in ${email}`, most: 100, windowMs: 15 * minute };
  if (!network) return [pair, account];
  return [pair, account, { key: `sign-ins ${network}`, most: 300, windowMs: 5 * minute }];
}

/**
 * The limits for codes at the second step, shared by app codes and recovery codes. Stricter than for passwords: three
 * codes in a million are valid at any time, and someone who guesses already has the password.
 */
export function secondStepLimits(userId: string, network: string | null): Limit[] {
  const pair = { key: `code ${userId} ${network ?? "here"}`, most: 10, windowMs: 5 * minute };
  const account = { key: `code ${userId}`, most: 30, windowMs: 60 * minute };
  if (!network) return [pair, account];
  return [pair, account, { key: `codes ${network}`, most: 300, windowMs: 5 * minute }];
}

export const pairKey = (email: string, network: string | null) => `sign-in ${email} ${network ?? "here"}`;

/** New accounts, or emails for existing ones, requested from one network. */
export function networkLimits(what: "sign-ups" | "emails", network: string | null): Limit[] {
  return network ? [{ key: `${what} ${network}`, most: 100, windowMs: 60 * minute }] : [];
}

/** Emails of one kind to one address, whether or not it has an account. */
export function emailLimits(kind: "signup" | "recovery" | "email_change", email: string): Limit[] {
  return [
    { key: `${kind} minute ${email}`, most: 1, windowMs: minute },
    { key: `${kind} hour ${email}`, most: 6, windowMs: 60 * minute },
  ];
}

/** Email and IP addresses are stored only in this form, so that the tables identify no one. */
export const hashKey = (secret: string, key: string) =>
  createHmac("sha256", secret).update(key).digest("base64url").slice(0, 22);

export type Limits = ReturnType<typeof createLimits>;

/** Rate limits that outlast a restart. */
export function createLimits(sql: Sql, secret: string, now: () => number) {
  const hash = (key: string) => hashKey(secret, key);
  const at = () => new Date(now()).toISOString();
  return {
    hash,
    /** Counts one attempt and returns 0, or counts nothing and returns how long to wait. */
    async waitMs(limits: Limit[]): Promise<number> {
      if (limits.length === 0) return 0;
      const [row] = await sql.query<{ wait: string }>(
        `select private_shop.count_attempt(
           array(select value from jsonb_array_elements_text($1::text::jsonb)),
           array(select value::int from jsonb_array_elements_text($2::text::jsonb)),
           array(select value::bigint from jsonb_array_elements_text($3::text::jsonb)), $4::text::timestamptz)::text as wait`,
        [
          JSON.stringify(limits.map(({ key }) => hash(key))),
          JSON.stringify(limits.map(({ most }) => most)),
          JSON.stringify(limits.map(({ windowMs }) => windowMs)),
          at(),
        ],
      );
      return Number(row?.wait ?? 0);
    },
    /** Takes back one attempt that turned out not to count. */
    async takeBack(limits: Limit[]): Promise<void> {
      await sql.query(
        `update private_shop.attempts set attempts = greatest(attempts - 1, 0)
         where key = any (array(select value from jsonb_array_elements_text($1::text::jsonb)))`,
        [JSON.stringify(limits.map(({ key }) => hash(key)))],
      );
    },
    async forget(key: string): Promise<void> {
      await sql.query("delete from private_shop.attempts where key = $1", [hash(key)]);
    },
  };
}
