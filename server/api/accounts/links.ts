import type { Sql } from "../../database/sql.ts";
import type { Email } from "../../emails/mail-server.ts";
import { type Template, writeLinkEmail } from "./emails.ts";
import type { Context } from "./parts.ts";
import { hashToken, randomToken } from "./tokens.ts";

/** Values of a link's `type`, as in the hosted accounts API. */
export const linkKinds = ["signup", "recovery", "email_change"] as const;
export type LinkKind = (typeof linkKinds)[number];

const validMs = 60 * 60_000;

export type Link = { kind: LinkKind; userId: string; email: string };

/** `template` is set if the email is not the usual one of its kind. */
type NewLink = Link & { redirectTo: string | null; template?: Template };

/** Makes a new link in the caller's transaction; returns its email. */
export async function makeLink(
  { now, ...from }: Pick<Context, "now" | "siteUrl" | "readShop">,
  sql: Sql,
  { kind, userId, email, redirectTo, template }: NewLink,
): Promise<Email> {
  const token = randomToken();
  await sql.query(
    `insert into private_shop.email_links (token_hash, kind, user_id, email, created_at)
     values ($1, $2, $3::text::uuid, $4, $5::text::timestamptz)`,
    [hashToken(token), kind, userId, email, new Date(now()).toISOString()],
  );
  return writeLinkEmail(from, { kind, to: email, token, redirectTo, template });
}

const columns =
  'kind, user_id as "userId", email, (extract(epoch from created_at) * 1000)::float8 as "sentMs"';

type Found = Link & { sentMs: number };

const stillValid = (context: Context, kind: LinkKind, found: Found | undefined): Link | null =>
  found && found.kind === kind && context.now() - found.sentMs <= validMs ? found : null;

/** Looks up a link without using it up; null if it was used, has expired or is of another kind. */
export async function findLink(context: Context, kind: LinkKind, token: string): Promise<Link | null> {
  const [found] = await context.sql.query<Found>(
    `select ${columns} from private_shop.email_links where token_hash = $1`,
    [hashToken(token)],
  );
  return stillValid(context, kind, found);
}

/** Uses up a link in the caller's transaction. */
export async function takeLink(
  context: Context,
  sql: Sql,
  kind: LinkKind,
  token: string,
): Promise<Link | null> {
  const [found] = await sql.query<Found>(
    `delete from private_shop.email_links where token_hash = $1 and kind = $2 returning ${columns}`,
    [hashToken(token), kind],
  );
  return stillValid(context, kind, found);
}

/** Invalidates an account's links: all of them, or those of one kind. */
export async function dropLinks(sql: Sql, userId: string, kind: LinkKind | null = null): Promise<void> {
  await sql.query(
    "delete from private_shop.email_links where user_id = $1::text::uuid and kind = coalesce($2::text, kind)",
    [userId, kind],
  );
}
