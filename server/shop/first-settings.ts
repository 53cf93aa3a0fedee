import { ownShop } from "#shared/owner/own-shop.ts";
import { firstShop } from "#shared/owner/settings.ts";
import type { Sql } from "../database/sql.ts";
import { StartError } from "../lib/start-error.ts";

/** SQLSTATEs of values that the database refuses: a failed check, a number that is too large, a missing one. */
const refusals = ["23514", "22003", "23502"];

/**
 * Gives the database the first values of the settings: it uses them itself, such as delivery fees, and keeps what the terms showed.
 * Those that an admin has changed stay.
 * @param paysOnline whether customers can pay online, which the terms say; the stored value stays if this is undefined
 * @throws StartError when a delivery fee is impossible
 */
export async function writeFirstSettings(sql: Sql, paysOnline?: boolean, first = firstShop): Promise<void> {
  await sql
    .query("select private.set_first_settings($1::text::jsonb)", [JSON.stringify({ ...first, paysOnline })])
    .catch((error: { code?: string }) => {
      if (!refusals.includes(error.code ?? "")) throw error;
      throw new StartError(
        "A delivery fee in shared/owner/shop.ts is impossible: it names a region that Ghana doesn't have, or an amount that is not between 0 and 99,999.99 cedis",
      );
    });
}

/** Whether the database stores whether customers can pay online. */
export async function hasPaysOnline(sql: Sql): Promise<boolean> {
  const kept = await sql.query("select 1 from private.first_settings where name = 'paysOnline'");
  return kept.length > 0;
}

/** Gives a new database without the demo settings that claim nothing. */
export async function writeOwnSettings(sql: Sql): Promise<void> {
  await sql.query("select private.set_own_settings($1::text::jsonb)", [JSON.stringify(ownShop)]);
}
