import { describeDevice } from "#shared/text/describe-device.ts";
import { isUuid } from "#shared/text/uuid.ts";
import type { Sql } from "../../database/sql.ts";
import type { Call, Context } from "./parts.ts";
import { storeTask } from "./tasks.ts";
import type { UserRow } from "./users.ts";

const maxAgentLength = 300;

/** A request's user agent, for the list of sessions. */
export const agentOf = ({ request }: Pick<Call, "request">) =>
  request.headers.get("user-agent")?.replaceAll("\0", "").slice(0, maxAgentLength) || null;

/**
 * Records, in the caller's transaction, the browser in which someone signed in, and queues an email about a new one.
 * Browsers send their own random id; without one, browsers with the same user agent count as one. An account's first
 * browser is not new.
 */
export async function noteDevice(context: Context, sql: Sql, user: UserRow, call: Call): Promise<void> {
  const device = describeDevice(agentOf(call));
  const sent = call.request.headers.get("x-device") ?? "";
  const hash = context.limits.hash(`device ${isUuid(sent) ? sent.toLowerCase() : device}`);
  const at = new Date(context.now()).toISOString();
  const [before] = await sql.query<{ count: number; isKnown: boolean }>(
    `select count(*)::int as count, coalesce(bool_or(device = $2), false) as "isKnown"
     from private_shop.known_devices where user_id = $1::text::uuid`,
    [user.id, hash],
  );
  await sql.query(
    `insert into private_shop.known_devices (user_id, device, seen_at) values ($1::text::uuid, $2, $3::text::timestamptz)
     on conflict (user_id, device) do update set seen_at = excluded.seen_at`,
    [user.id, hash, at],
  );
  if (!before || before.count === 0 || before.isKnown || !user.email) return;
  await storeTask(sql, { kind: "account-notice", notice: "new-device", email: user.email, device, at });
}
