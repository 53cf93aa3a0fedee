import type { Sql } from "../../database/sql.ts";
import { networkOf } from "../../lib/network.ts";
import type { Call, Context } from "./parts.ts";

/** The network that a request comes from, as a hash. */
export const networkHash = ({ limits }: Pick<Context, "limits">, { clientIp }: Pick<Call, "clientIp">) =>
  limits.hash(`network ${networkOf(clientIp) ?? "here"}`);

/**
 * Remembers, in the caller's transaction, where someone proved that an account is theirs, by its password or by an
 * emailed link: other people's wrong guesses don't lock them out there.
 */
export async function rememberNetwork(
  { now }: Pick<Context, "now">,
  sql: Sql,
  userId: string,
  hash: string,
): Promise<void> {
  await sql.query(
    `insert into private_shop.known_networks (user_id, network, seen_at)
     values ($1::text::uuid, $2, $3::text::timestamptz)
     on conflict (user_id, network) do update set seen_at = excluded.seen_at`,
    [userId, hash, new Date(now()).toISOString()],
  );
}
