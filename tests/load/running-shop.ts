import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { signToken } from "#server/api/accounts/tokens.ts";
import { audience, type TokenKeys } from "#server/api/caller.ts";
import { databasePaths, databaseUser } from "#server/database/postgres/folder.ts";

export type Person = { id: string; token: string };

/** Connects to the database of a shop that is running in this folder, as a visitor or as its owner. */
export async function connectTo(
  dataDir: string,
  connections: number,
  role: "anon" | "owner" = "anon",
): Promise<postgres.Sql> {
  const { folder, passwordFile } = databasePaths(dataDir);
  return postgres({
    host: folder,
    port: 5432,
    user: databaseUser,
    database: "postgres",
    max: connections,
    password: (await readFile(passwordFile, "utf8")).trim(),
    connection: { search_path: "public,extensions", ...(role === "anon" && { role }) } as never,
    onnotice: () => {},
  });
}

/** Work in one transaction to which no policy applies. */
export const asOwner = (sql: postgres.Sql, work: (owner: postgres.TransactionSql) => Promise<unknown>) =>
  sql.begin(async (owner) => {
    await owner`set local role none`;
    await work(owner);
  });

/**
 * New customers with confirmed addresses, to which emails are sent, each with a session, whose id is the customer's, and
 * its token, which is valid for an hour.
 */
export async function makePeople(
  sql: postgres.Sql,
  { jwtSecret, issuer }: TokenKeys,
  count: number,
): Promise<Person[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await asOwner(sql, async (owner) => {
    await owner`insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
      select id, id || '@example.com', now(), '{}' from unnest(${ids}::uuid[]) as id`;
    await owner`insert into auth.sessions (id, user_id) select id, id from unnest(${ids}::uuid[]) as id`;
  });
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  return ids.map((id) => {
    const claims = { iss: issuer, sub: id, aud: audience, exp, role: "authenticated", session_id: id };
    return { id, token: signToken(claims, jwtSecret) };
  });
}
