import { readBackup } from "#server/shop/backup/backup-file.ts";

/** The parts of an account that are moved. */
export type Account = {
  id: string;
  /** Null for people who were anonymised and for the demo's reviewers. */
  email: string | null;
  confirmed: boolean;
  /** Whether the account had a password to sign in with. */
  canSignIn: boolean;
  metadata: Record<string, unknown>;
};

type UserRow = {
  id: string;
  email: string | null;
  email_confirmed_at: string | null;
  encrypted_password: string | null;
  banned_until: string | null;
  raw_user_meta_data: Record<string, unknown> | null;
};

export async function readAccounts(path: string): Promise<Account[]> {
  const accounts: Account[] = [];
  for await (const entry of readBackup(path)) {
    if (entry.kind !== "rows" || entry.table.name !== "auth.users") continue;
    for (const text of entry.rows) {
      const row = JSON.parse(text) as UserRow;
      const confirmed = row.email_confirmed_at !== null;
      accounts.push({
        id: row.id,
        email: row.email,
        confirmed,
        canSignIn: confirmed && Boolean(row.encrypted_password) && !row.banned_until,
        metadata: row.raw_user_meta_data ?? {},
      });
    }
  }
  return accounts;
}
