import { createHmac, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { databasePlaces, databaseUser } from "#server/embedded/postgres/folder.ts";

export type Person = { id: string; token: string };

/** Connects to the database of a shop that is running in this folder, as a visitor. */
export async function connectTo(dataDir: string, connections: number): Promise<postgres.Sql> {
  const { folder, passwordFile } = databasePlaces(dataDir);
  return postgres({
    ...{ host: folder, port: 5432, user: databaseUser, database: "postgres", max: connections },
    password: (await readFile(passwordFile, "utf8")).trim(),
    connection: { search_path: "public,extensions", role: "anon" } as never,
  });
}

/** Work in one transaction to which no policy applies. */
export const asOwner = (sql: postgres.Sql, work: (owner: postgres.TransactionSql) => Promise<unknown>) =>
  sql.begin(async (owner) => {
    await owner`set local role none`;
    await work(owner);
  });

/** New customers, each with a token of their own, an hour long. */
export async function makePeople(sql: postgres.Sql, jwtSecret: string, count: number): Promise<Person[]> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const ids = Array.from({ length: count }, () => randomUUID());
  await asOwner(
    sql,
    (owner) => owner`insert into auth.users (id, email, raw_user_meta_data)
      select id, id || '@example.com', '{}' from unnest(${ids}::uuid[]) as id`,
  );
  return ids.map((id) => {
    const exp = Math.floor(Date.now() / 1_000) + 3_600;
    const body = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: id, role: "authenticated", exp })}`;
    return { id, token: `${body}.${createHmac("sha256", jwtSecret).update(body).digest("base64url")}` };
  });
}
