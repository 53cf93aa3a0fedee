import type { Sql } from "../../database/sql.ts";

/** A row of auth.users as JSON, so that every driver gives the same: times as ISO texts. */
export type UserRow = {
  id: string;
  aud: string | null;
  role: string | null;
  email: string | null;
  encrypted_password: string | null;
  email_confirmed_at: string | null;
  confirmation_sent_at: string | null;
  recovery_sent_at: string | null;
  email_change: string | null;
  email_change_sent_at: string | null;
  last_sign_in_at: string | null;
  raw_app_meta_data: Record<string, unknown> | null;
  raw_user_meta_data: Record<string, unknown> | null;
  banned_until: string | null;
  deleted_at: string | null;
  created_at: string | null;
  updated_at: string | null;
};

async function findOne(sql: Sql, condition: string, value: string, lock: string): Promise<UserRow | null> {
  const [found] = await sql.query<{ row: UserRow }>(
    `select to_jsonb(users) as row from auth.users where ${condition} ${lock}`,
    [value],
  );
  return found?.row ?? null;
}

/** Inside a transaction, `lock` keeps the account as it is until the end. */
type Lock = "" | "for update";

export const findByEmail = (sql: Sql, email: string, lock: Lock = "") =>
  findOne(sql, "email = $1 and not is_sso_user", email, lock);

export const findById = (sql: Sql, id: string, lock: Lock = "") =>
  findOne(sql, "id = $1::text::uuid", id, lock);

/** Whether an account is banned, permanently or for a time. */
export function isBanned(user: UserRow, nowMs: number): boolean {
  return user.deleted_at !== null || (user.banned_until !== null && Date.parse(user.banned_until) > nowMs);
}

/**
 * Whether an account holds its address against other sign-ups: an unconfirmed one does not, since anyone can sign up
 * with any address.
 */
export const isTaken = (user: UserRow, nowMs: number) =>
  user.email_confirmed_at !== null || isBanned(user, nowMs);

const providers = { provider: "email", providers: ["email"] };

type Factor = {
  id: string;
  friendly_name?: string;
  factor_type: "totp";
  status: "unverified" | "verified";
  created_at: string;
  updated_at: string;
};

/** An account as the hosted accounts API shows it to its owner, with its second step but never the secret. */
export async function describeUser(sql: Sql, row: UserRow) {
  const [found] = await sql.query<{ factors: Factor[] }>(
    `select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', id, 'friendly_name', friendly_name, 'factor_type', factor_type,
              'status', status, 'created_at', created_at, 'updated_at', updated_at)) order by created_at), '[]') as factors
     from auth.mfa_factors where user_id = $1::text::uuid`,
    [row.id],
  );
  const { factors = [] } = found ?? {};
  return factors.length > 0 ? { ...toUser(row), factors } : toUser(row);
}

export function toUser(row: UserRow) {
  const email = row.email ?? "";
  const metadata = row.raw_user_meta_data ?? {};
  const data = {
    ...metadata,
    email,
    email_verified: row.email_confirmed_at !== null,
    phone_verified: false,
    sub: row.id,
  };
  return {
    id: row.id,
    aud: row.aud ?? "authenticated",
    role: row.role ?? "authenticated",
    email,
    email_confirmed_at: row.email_confirmed_at ?? undefined,
    phone: "",
    confirmation_sent_at: row.confirmation_sent_at ?? undefined,
    confirmed_at: row.email_confirmed_at ?? undefined,
    recovery_sent_at: row.recovery_sent_at ?? undefined,
    new_email: row.email_change || undefined,
    email_change_sent_at: row.email_change ? (row.email_change_sent_at ?? undefined) : undefined,
    last_sign_in_at: row.last_sign_in_at ?? undefined,
    app_metadata: { ...providers, ...row.raw_app_meta_data },
    user_metadata: data,
    identities: [
      {
        identity_id: row.id,
        id: row.id,
        user_id: row.id,
        identity_data: data,
        provider: "email",
        last_sign_in_at: row.last_sign_in_at ?? undefined,
        created_at: row.created_at ?? undefined,
        updated_at: row.updated_at ?? undefined,
        email,
      },
    ],
    created_at: row.created_at ?? undefined,
    updated_at: row.updated_at ?? undefined,
    is_anonymous: false,
  };
}
